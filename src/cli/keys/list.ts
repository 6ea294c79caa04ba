import { parseArgs } from 'node:util'
import { listKeys, stateOf } from '../../domain/keys.ts'
import { formatRateLimit } from '../../lib/rate-limit.ts'
import { type Io, print, printJson } from '../io.ts'
import { table } from '../table.ts'
import { formatMinute } from '../time.ts'
import type { Db } from './key.ts'

export async function list(io: Io, db: Db, args: string[]) {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const all = await listKeys({ db })
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
