import { join } from 'node:path'
import { hasDatabaseUrl, readConfig, type StoreConfig } from '../config.ts'
import { requireStore, WrongStore } from '../domain/sandbox.ts'
import { type StoreAddress, URL_VARIABLES } from '../lib/ids/store-address.ts'
import { connect, connectForBulk } from '../service.ts'
import { runningIn } from './dev/embedded-postgres.ts'
import { storeVariables } from './dev/store-variables.ts'
import { CommandError, explain, USAGE_EXIT_CODE, UsageError } from './failure.ts'
import type { Io } from './io.ts'

/** The data directory of `petstore dev`, in the current directory. */
export const DEV_DIRECTORY = '.petstore'

type Db = ReturnType<typeof connect>

/** The variables of the service; where `DATABASE_URL` is not set, with the databases of a `petstore dev` that runs in this folder. */
export async function findVariables({ env, stderr, cwd }: Io, databases = 'databases') {
  const running = hasDatabaseUrl(env) ? undefined : await runningIn(join(cwd(), DEV_DIRECTORY))
  if (running === undefined) return env
  stderr.write(`DATABASE_URL is not set: using the ${databases} of petstore dev in ${DEV_DIRECTORY}/.\n`)
  return { ...env, ...storeVariables(running) }
}

/** All stores that are configured, the live one first. */
export async function findStores(io: Io) {
  return readConfig(await findVariables(io)).stores
}

/** A store: of a service the live one unless another is named, of a `petstore dev` the sandbox, which has its sample pets. */
export async function findStore(io: Io, named?: StoreAddress) {
  const variables = hasDatabaseUrl(io.env, named)
    ? io.env
    : await findVariables(io, named === 'live' ? 'live store' : 'sandbox')
  const address = named ?? (variables === io.env ? 'live' : 'test')
  return readConfig(variables, address).stores.find((each) => each.address === address) ?? noSandbox()
}

export function noSandbox(): never {
  throw new CommandError(
    'SANDBOX_DATABASE_URL is not set. Set it to the database of the sandbox, a URL like postgres://user:password@host:5432/petstore_sandbox.',
  )
}

/** Does the work of a command in the store that `--store` names, with the other arguments. */
export async function withStore<T>(io: Io, given: string[], work: (db: Db, args: string[]) => Promise<T>) {
  const { named, args } = takeStore(given)
  const { address, databaseUrl } = await findStore(io, named)
  await using db = connect(databaseUrl)
  return await inStore(address, async () => {
    await requireStore(db, address)
    return await work(db, args)
  })
}

/** Does the work; a failure names the variable with the URL of this store. */
export async function inStore<T>(address: StoreAddress, work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    const { message, exitCode } = explain(error)
    if (address === 'live' || exitCode === USAGE_EXIT_CODE || error instanceof WrongStore) throw error
    throw new CommandError(message.replaceAll(/\bDATABASE_URL\b/g, URL_VARIABLES[address]), { cause: error })
  }
}

/** A connection to this store for moving many rows. */
export async function connectToStore(store: StoreConfig) {
  return inStore(store.address, async () => {
    const bulk = await connectForBulk(store.databaseUrl)
    await using opened = new AsyncDisposableStack()
    opened.use(bulk.db)
    await requireStore(bulk.db, store.address)
    opened.move()
    return bulk
  })
}

/** The store that `--store` names, if any, and the other arguments. */
export function takeStore(given: string[]): { named: StoreAddress | undefined; args: string[] } {
  const at = given.findIndex((arg) => /^--store(?:=|$)/.test(arg))
  if (at === -1) return { named: undefined, args: given }
  const [, inline] = given[at]?.split('=') ?? []
  const named = inline ?? given[at + 1]
  if (named !== 'live' && named !== 'test') throw new UsageError('--store takes live or test.')
  return { named, args: given.toSpliced(at, inline === undefined ? 2 : 1) }
}
