import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Endpoint } from './receiver.ts'

export const MASTER_SECRET = 'a master secret that only the bench and the faults use'

export interface FeedPosition {
  sequence: number
  pageToken: string
}

/** The rows of webhooks, written by SQL: a client may have 20 only. */
export interface Row {
  id: string
  url: string
  types?: string | undefined
}

export function idOf(number: number) {
  return `wh_${String(number).padStart(20, '0')}`
}

/** As the receiver keeps it. */
function secretOf(id: string) {
  return `whsec_${createHmac('sha256', MASTER_SECRET).update(`${id}.1`).digest('base64')}`
}

/** An endpoint that accepts everything at once, for the webhook of this number. */
export function endpointOf(number: number): Endpoint {
  const id = idOf(number)
  return { name: id, secret: secretOf(id), failRate: 0, delayMs: 0 }
}

export async function endOfFeed(database: pg.Client): Promise<FeedPosition> {
  const { rows } = await database.query<{ sequence: string; mark: string }>(
    `select first + greatest(cardinality(pet_ids), 1) - 1 as sequence, mark from feed_pages order by first desc limit 1`,
  )
  const { sequence, mark: pageToken = '' } = rows[0] ?? {}
  return { sequence: Number(sequence), pageToken }
}

export async function insertWebhooks(database: pg.Client, webhooks: Row[], { sequence, pageToken }: FeedPosition) {
  await database.query(
    `insert into webhooks (id, url, types, sequence, mark) select *, $4, $5 from unnest($1::text[], $2::text[], $3::text[])`,
    [
      webhooks.map(({ id }) => id),
      webhooks.map(({ url }) => url),
      webhooks.map(({ types }) => types),
      sequence,
      pageToken,
    ],
  )
}

/** To this position, as if none of the events after it had been delivered. No process may be delivering. Others are paused. */
export async function moveWebhooks(database: pg.Client, ids: string[], { sequence, pageToken }: FeedPosition) {
  await database.query('delete from deliverers')
  await database.query(
    `update webhooks
     set state = case when id = any ($1) then 'active' else 'paused' end, sequence = $2, mark = $3,
         leased_by = null, leased_until = null, failing_since = null, failures = 0, next_attempt_at = null`,
    [ids, sequence, pageToken],
  )
}

/** Those that wait long for their next attempt try again at once, as `state: active` does it. */
export async function resumeWebhooks(database: pg.Client, ids: string[]) {
  await database.query(
    `update webhooks
     set failing_since = null, failures = 0, next_attempt_at = null,
         leased_by = null, leased_until = least(leased_until, now() + interval '2 seconds')
     where id = any ($1) and next_attempt_at > now() + interval '10 seconds'`,
    [ids],
  )
}

/** How many events each of them is from the end of the feed. */
export async function behind(database: pg.Client, ids: string[]) {
  const { sequence: head } = await endOfFeed(database)
  const { rows } = await database.query<{ sequence: string }>('select sequence from webhooks where id = any ($1)', [
    ids,
  ])
  return rows.map(({ sequence }) => head - Number(sequence))
}

const POLLED_EVERY_MS = 250

/** Returns the seconds until none is further behind than `most`; undefined if that is not so in time. */
export async function untilCaughtUp(database: pg.Client, ids: string[], most: number, withinMs: number) {
  const begun = performance.now()
  while (performance.now() - begun < withinMs) {
    if (Math.max(...(await behind(database, ids))) <= most) return (performance.now() - begun) / 1_000
    await sleep(POLLED_EVERY_MS)
  }
  return undefined
}
