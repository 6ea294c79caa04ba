import { findKey } from '../../domain/keys.ts'
import { readStore, requireStore } from '../../domain/sandbox.ts'
import { LOOKS_LIKE_KEY } from '../../lib/ids/key-format.ts'
import { connect } from '../../service.ts'
import { findStores, inStore } from '../database-url.ts'
import { CommandError } from '../failure.ts'
import type { Io } from '../io.ts'
import type { Db } from './key.ts'

/** The databases that have keys. Commands for live keys don't connect to the sandbox, which may be lost. */
export interface KeyStores {
  live: Db
  /** Undefined if none is configured. */
  sandbox: Db | undefined
  /** Whether `petstore sandbox create` has moved the test keys. */
  testKeysElsewhere: boolean
}

const NOT_MOVED = 'Test keys are not in the sandbox yet. Run `petstore sandbox create`, also if it was interrupted.'
export const TEST_KEYS_ELSEWHERE = 'Test keys are in the sandbox: set SANDBOX_DATABASE_URL to its database.'

export async function withKeyStores(io: Io, work: (stores: KeyStores) => Promise<void>) {
  await using connected = new AsyncDisposableStack()
  const [live, sandbox] = await findStores(io)
  const open = ({ databaseUrl }: typeof live) => connected.use(connect(databaseUrl))
  const stores = { live: open(live), sandbox: sandbox && open(sandbox) }
  await requireStore(stores.live, 'live')
  await work({ ...stores, testKeysElsewhere: (await readStore(stores.live)).testKeysElsewhere })
}

/** The store that has the test keys. */
export async function testStore({ live, sandbox, testKeysElsewhere }: KeyStores) {
  if (!testKeysElsewhere && sandbox) throw new CommandError(NOT_MOVED)
  if (!testKeysElsewhere) return live
  if (!sandbox) throw new CommandError(TEST_KEYS_ELSEWHERE)
  await inStore('test', () => requireStore(sandbox, 'test'))
  return sandbox
}

/** The store that has the key with this id. If there is none, the command fails there. */
export async function storeOf(stores: KeyStores, id: string) {
  const { live, sandbox, testKeysElsewhere } = stores
  if (LOOKS_LIKE_KEY.test(id)) return live
  const key = await findKey({ db: live }, id)
  if (key?.mode === 'test' && sandbox) throw new CommandError(NOT_MOVED)
  if (key || !testKeysElsewhere) return live
  if (sandbox) return testStore(stores)
  throw new CommandError(`There is no live key ${JSON.stringify(id)}. ${TEST_KEYS_ELSEWHERE}`)
}
