import type pg from 'pg'
import { decodeCursor } from '../../src/http/wire/cursor.ts'
import { type Answer, type Call, postJson } from './app.ts'
import { until } from './until.ts'

/** An event as the service prints it. */
export interface FeedEvent {
  specversion: string
  id: string
  source: string
  type: string
  subject: string
  time: string
  sequence?: string
  data: {
    pet?: { id: bigint; name: string; categoryId: bigint; status?: string; version: bigint; orderId?: string }
    order?: { id: string; status: string; closedAt?: string }
    changed?: string[]
    previous?: { name?: string; categoryId?: bigint; status?: string | null }
    keyId?: string
    added?: bigint
  }
}

export const eventsOf = (answer: Answer) => answer.body as FeedEvent[]

/** The path of the next page. */
export function nextOf({ headers, status, text }: Answer) {
  const next = /^<(?<path>[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.groups?.['path']
  if (!next) throw new Error(`a page has no next: ${status} ${text}`)
  const { pathname, search } = new URL(next, 'http://x')
  return pathname + search
}

/** All events after a page, until one is empty. */
export async function follow(call: Call, path: string) {
  const events: FeedEvent[] = []
  for (let next = path; ; ) {
    const answer = await call(next)
    if (answer.status !== 200) throw new Error(answer.text)
    if (eventsOf(answer).length === 0) return { events, next }
    events.push(...eventsOf(answer))
    next = nextOf(answer)
  }
}

/** The events of `call`s that have responded, once they are in the feed. */
export async function followUntil(call: Call, path: string, count: number) {
  const events: FeedEvent[] = []
  let next = path
  while (events.length < count) {
    const answer = await call(next.includes('wait=') ? next : `${next}${next.includes('?') ? '&' : '?'}wait=9`)
    if (answer.status !== 200) throw new Error(answer.text)
    if (eventsOf(answer).length === 0) throw new Error(`${events.length} of ${count} events within nine seconds`)
    events.push(...eventsOf(answer))
    next = nextOf(answer)
  }
  return { events, next }
}

/** The page after all events of the requests that have responded. */
export async function endOfFeed({ call, pool }: { call: Call; pool: pg.Pool }) {
  return until(async () => {
    const { rows } = await pool.query<{ events: boolean; head: string }>(`
      select exists (
               select from events
               where transaction >= pg_snapshot_xmin(snapshot) and not pg_visible_in_snapshot(transaction, snapshot)) as events,
             first + greatest(cardinality(pet_ids), 1) - 1 as head
      from feed_pages order by first desc limit 1`)
    const next = nextOf(await call('/v1/events?from=now'))
    // The process hears of new events a moment after they were given their places.
    return !rows[0]!.events && sequenceOf(next) >= BigInt(rows[0]!.head) && next
  })
}

/** The number of the last event before a page. */
export function sequenceOf(path: string, walk: 'feed' | 'newestEvents' = 'feed') {
  const [sequence] = decodeCursor(walk, cursorOf(path), 2) ?? []
  if (sequence === undefined) throw new Error(`${path} is not a page of the feed`)
  return sequence
}

export const cursorOf = (path: string) => new URL(path, 'http://x').searchParams.get('cursor') ?? ''

export async function addPet(call: Call, status?: string) {
  const answer = await call('/v1/pets', postJson({ name: 'Rex', categoryId: 7, status }))
  return (answer.body as { id: bigint }).id
}
