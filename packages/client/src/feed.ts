import { backoff, readRetryAfter, sleep } from './backoff.ts'
import type { Connection } from './connection.ts'
import { PetstoreError } from './errors.ts'
import { EVENT, type EventType, type PetstoreEvent } from './kinds.ts'
import { fetchPage } from './lists.ts'
import type { CallOptions } from './options.ts'

export const PATH = '/events'

const LARGEST_PAGE = 100
const LONGEST_WAIT_SECONDS = 9
/** For the network, and for a busy service. */
const SPARE_SECONDS = 3
// The pause after an empty page that comes at once and does not say when to ask again.
const PAUSE_MS = 500

export interface EventPage {
  /** Oldest first. */
  events: PetstoreEvent[]
  /** Where the next page begins. There always is one: it has the events that do not exist yet. */
  next: string
}

/** Where a list begins: a `Date` is the first event that happened then or later. */
export type From = 'oldest' | 'now' | Date

export const textOf = (from: From | undefined) => (from instanceof Date ? from.toISOString() : from)

export interface FollowOptions extends CallOptions {
  /** `next` of the last page that was handled. */
  cursor?: string | undefined
  /** Where to begin without a cursor: at the `oldest` event that is kept, which is the default, `now`, after the newest, or since a time. */
  from?: From | undefined
  /** Only events of these types, up to 8. */
  types?: readonly EventType[] | undefined
  /** Only changes that the key with this id made. */
  keyId?: string | undefined
}

/**
 * Every page that has events or leads further: with `types`, `next` has to be kept although there was no event for a long time, and
 * from `now`, although there was none yet.
 */
export async function* follow(
  connection: Connection,
  { cursor, from, types, keyId, signal }: FollowOptions = {},
): AsyncGenerator<EventPage, void, void> {
  const query = { limit: LARGEST_PAGE, type: types?.join(), keyId }
  const listing = { path: PATH, first: { from: textOf(from) }, kind: EVENT, forever: true, signal }
  for (let at = cursor; ; ) {
    // The first page says where the feed begins, so it does not wait.
    const wait = at === undefined ? undefined : waitOf(connection)
    const begun = performance.now()
    const { items, next, headers } = await fetchPage(connection, { ...listing, query: { ...query, wait } }, at)
    const page = pageOf(items, next)
    const isNew = items.length > 0 || page.next !== at
    at = page.next
    if (isNew) yield page
    const retryAfter = readRetryAfter(headers?.get('retry-after') ?? null)
    // The service did not wait: it is shutting down, or too many requests wait already.
    if (retryAfter !== undefined) await sleep(backoff(0, retryAfter), signal)
    else if (!isNew && performance.now() - begun < PAUSE_MS) await sleep(PAUSE_MS * (1 + Math.random()), signal)
  }
}

/** An attempt must not end before the service has waited. */
function waitOf({ attemptTimeoutMs }: Connection) {
  return Math.max(0, Math.min(LONGEST_WAIT_SECONDS, Math.floor(attemptTimeoutMs / 1_000) - SPARE_SECONDS))
}

export function pageOf(events: PetstoreEvent[], next: string | undefined): EventPage {
  // Without it, events would be missed or repeated.
  if (next === undefined) throw new PetstoreError('unexpected_answer', 'The response has no link to the next events.')
  return { events, next }
}
