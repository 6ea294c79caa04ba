import { parseArgs } from 'node:util'
import { atFeedEnd, listWebhooks } from '../../domain/webhooks.ts'
import { table } from '../table.ts'
import { type Db, print, second } from './webhook.ts'

export async function list(db: Db, args: string[]) {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const all = await listWebhooks(await atFeedEnd(db))
  if (values.json) return print(all)
  if (all.length === 0) return console.log('There are no webhooks.')
  console.log(
    table(
      ['ID', 'STATE', 'BEHIND', 'FAILING SINCE', 'NEXT ATTEMPT', 'TYPES', 'URL'],
      all.map(({ id, state, behind, failingSince, nextAttemptAt, types, url }) => [
        id,
        state,
        String(behind),
        second(failingSince),
        second(nextAttemptAt),
        types?.join(' ') ?? 'all',
        url,
      ]),
    ),
  )
}
