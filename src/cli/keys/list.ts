import { parseArgs } from 'node:util'
import { listKeys, stateOf } from '../../domain/keys.ts'
import { formatRateLimit } from '../../lib/rate-limit.ts'
import { table } from '../table.ts'
import { type Db, minute, print } from './key.ts'

export async function list(db: Db, args: string[]) {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const all = await listKeys({ db })
  if (values.json) return print(all)
  if (all.length === 0) return console.log('There are no keys yet: petstore keys create --name NAME')
  console.log(
    table(
      ['ID', 'NAME', 'MODE', 'STATE', 'SCOPES', 'LIMIT', 'CREATED', 'EXPIRES', 'LAST USED'],
      all.map((key) => [
        key.id,
        key.name,
        key.mode,
        stateOf(key),
        key.scopes.join(' '),
        key.rateLimit ? formatRateLimit(key.rateLimit) : '-',
        minute(key.createdAt),
        minute(key.expiresAt),
        minute(key.lastUsedAt),
      ]),
    ),
  )
}
