import { parseArgs } from 'node:util'
import { listKeys, stateOf } from '../../domain/keys.ts'
import type { ApiKey } from '../../domain/types/key.ts'
import { formatRateLimit } from '../../lib/rate-limit.ts'
import { inStore } from '../database-url.ts'
import { CommandError, explain } from '../failure.ts'
import { type Io, print, printError, printJson } from '../io.ts'
import { table } from '../table.ts'
import { formatMinute } from '../time.ts'
import { type KeyStores, TEST_KEYS_ELSEWHERE, testStore } from './stores.ts'

export async function list(io: Io, stores: KeyStores, args: string[]) {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const { live, sandbox, testKeysElsewhere } = stores
  const all = await listKeys({ db: live })
  let failure: unknown
  if (testKeysElsewhere && sandbox)
    await inStore('test', async () => all.push(...(await listKeys({ db: await testStore(stores) })))).catch((error) => {
      failure = error
    })
  else if (testKeysElsewhere) printError(io, TEST_KEYS_ELSEWHERE)
  if (values.json) printJson(io, all)
  else if (all.length > 0) print(io, tableOf(all))
  else if (failure === undefined) print(io, 'There are no keys yet: petstore keys create --name NAME')
  if (failure !== undefined)
    throw new CommandError(`The keys of the sandbox are not listed. ${explain(failure).message}`)
}

function tableOf(keys: readonly ApiKey[]) {
  return table(
    ['ID', 'NAME', 'MODE', 'STATE', 'SCOPES', 'LIMIT', 'CREATED', 'EXPIRES', 'LAST USED'],
    keys.map((key) => [
      key.id,
      key.name,
      key.mode,
      stateOf(key),
      key.scopes.join(' '),
      key.rateLimit ? formatRateLimit(key.rateLimit) : '-',
      formatMinute(key.createdAt),
      formatMinute(key.expiresAt),
      formatMinute(key.lastUsedAt),
    ]),
  )
}
