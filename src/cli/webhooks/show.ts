import { atFeedEnd, getWebhook, listAttempts } from '../../domain/webhooks.ts'
import { type Io, print, printJson } from '../io.ts'
import { table } from '../table.ts'
import { formatSecond } from '../time.ts'
import { type Db, ENDS, readArgs, withWebhook } from './webhook.ts'

// As many as a screen has room for; --json has all that are kept.
const MAX_ATTEMPTS = 20

export async function show(io: Io, db: Db, args: string[]) {
  const { id, json } = readArgs(args, 'show')
  const { webhook, attempts } = await withWebhook(id, async () => ({
    webhook: await getWebhook(await atFeedEnd(db), id),
    attempts: await listAttempts({ db }, id),
  }))
  // `attempts` of a webhook is how often it has failed.
  if (json) return printJson(io, { ...webhook, lastAttempts: attempts })
  const facts: [name: string, value: string][] = [
    ['ID', webhook.id],
    ['NAME', webhook.name ?? '-'],
    ['URL', webhook.url],
    ['TYPES', webhook.types?.join(' ') ?? 'all'],
    ['STATE', webhook.reason ? `${webhook.state}: its key ${ENDS[webhook.reason]}` : webhook.state],
    ['CREATED', formatSecond(webhook.createdAt)],
    ['CREATED BY', webhook.createdBy ?? '-'],
    ['CHANGED BY', webhook.changedBy ?? '-'],
    ['SEQUENCE', webhook.sequence],
    ['BEHIND', String(webhook.behind)],
  ]
  if (webhook.failingSince !== undefined)
    facts.push(['FAILING', `since ${formatSecond(webhook.failingSince)}, ${webhook.attempts} times`])
  if (webhook.nextAttemptAt !== undefined) facts.push(['NEXT TRY', formatSecond(webhook.nextAttemptAt)])
  if (webhook.oldSecretEndsAt !== undefined)
    facts.push(['OLD SECRET', `until ${formatSecond(webhook.oldSecretEndsAt)}`])
  print(io, facts.map(([name, value]) => `${name.padEnd(10)}  ${value}`).join('\n'))
  print(io)
  if (attempts.length === 0) return print(io, 'Nothing has been sent to it yet.')
  print(
    io,
    table(
      ['WHEN', 'EVENT', 'STATUS', 'MS', 'ERROR'],
      attempts
        .slice(0, MAX_ATTEMPTS)
        .map(({ at, eventId, status, durationMs, error }) => [
          formatSecond(at),
          eventId,
          status === undefined ? '-' : String(status),
          String(durationMs),
          error ?? '',
        ]),
    ),
  )
}
