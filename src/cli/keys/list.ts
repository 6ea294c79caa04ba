import { parseArgs } from 'node:util'
import { listKeys, stateOf } from '../../domain/keys.ts'
import { formatRateLimit } from '../../lib/rate-limit.ts'
import { type Io, print, printError, printJson } from '../io.ts'
import { table } from '../table.ts'
import { formatMinute } from '../time.ts'
import { type KeyStores, TEST_KEYS_ELSEWHERE, testStore } from './stores.ts'

export async function list(io: Io, stores: KeyStores, args: string[]) {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const { live, sandbox, testKeysElsewhere } = stores
  const all = await listKeys({ db: live })
  if (testKeysElsewhere && sandbox) all.push(...(await listKeys({ db: await testStore(stores) })))
  else if (testKeysElsewhere) printError(io, TEST_KEYS_ELSEWHERE)
  if (values.json) return printJson(io, all)
  if (all.length === 0) return print(io, 'There are no keys yet: petstore keys create --name NAME')
  print(
    io,
    table(
      ['ID', 'NAME', 'MODE', 'STATE', 'SCOPES', 'LIMIT', 'CREATED', 'EXPIRES', 'LAST USED'],
      all.map((key) => [
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
    ),
  )
}
