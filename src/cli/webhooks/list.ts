import { parseArgs } from 'node:util'
import { atFeedEnd, listWebhooks } from '../../domain/webhooks.ts'
import { type Io, print, printJson } from '../io.ts'
import { table } from '../table.ts'
import { formatSecond } from '../time.ts'
import type { Db } from './webhook.ts'

export async function list(io: Io, db: Db, args: string[]) {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const all = await listWebhooks(await atFeedEnd(db))
  if (values.json) return printJson(io, all)
  if (all.length === 0) return print(io, 'There are no webhooks.')
  print(
    io,
    table(
      ['ID', 'NAME', 'STATE', 'KEY', 'BEHIND', 'FAILING SINCE', 'NEXT ATTEMPT', 'TYPES', 'URL'],
      all.map(({ id, name, state, reason, changedBy, behind, failingSince, nextAttemptAt, types, url }) => [
        id,
        name ?? '-',
        reason ? `${state} (${reason})` : state,
        changedBy ?? '-',
        String(behind),
        formatSecond(failingSince),
        formatSecond(nextAttemptAt),
        types?.join(' ') ?? 'all',
        url,
      ]),
    ),
  )
}
