import type { Socket } from 'node:net'
import type { Caller } from '../lib/batch.ts'
import type { Feed } from '../storage/events/feed.ts'
import type { NewestRequest } from '../storage/events/newest.ts'
import type { FeedRequest, HistoryRequest, Place } from '../storage/events/pages.ts'
import type { Context } from './context.ts'
import { DomainError } from './errors.ts'

export { EVENT_TYPES, type EventType } from '../storage/events/stored-event.ts'

/** How long a request may wait for an event if there is none. */
interface Wait {
  seconds: number
  /** Called if it does. */
  onWait: () => void
}

/** A client whose disconnection ends its wait. */
interface WaitingCaller extends Caller {
  readonly socket: Pick<Socket, 'destroyed' | 'readableEnded' | 'once' | 'off'>
}

/** A page of the feed. At the end of the feed it is empty, after the wait. */
export async function listEvents(
  { feed }: Pick<Context, 'feed'>,
  request: FeedRequest,
  { seconds, onWait }: Wait,
  { socket, trace, begun }: WaitingCaller,
) {
  const waitsUntil = performance.now() + seconds * 1_000
  let { after } = request
  for (let readsFrom = begun; ; readsFrom = performance.now()) {
    // The deadline of a statement does not include the time that was spent waiting.
    const page = await feed.list({ ...request, after }, { socket, trace, begun: readsFrom })
    if (!page) throw cursorExpired()
    const left = waitsUntil - performance.now()
    if (!page.isEmpty || !page.isLast || left <= 0 || !feed.canWait) return page
    onWait()
    await waitForEvent(feed, page.next.sequence, left, socket)
    if (feed.head.sequence <= page.next.sequence || socket.destroyed) return page
    after = page.next
  }
}

/** A page of the feed that begins with the newest event, or continues before a place. */
export async function listNewest({ feed }: Pick<Context, 'feed'>, request: NewestRequest, caller: Caller) {
  const page = await feed.newest(request, caller)
  if (!page) throw newestCursorExpired()
  return page
}

/**
 * Returns when there is an event after this number, when the time is over, or when the client has disconnected. A client that only
 * sends nothing more looks the same; its response comes early then, but does come.
 */
async function waitForEvent(feed: Feed, after: bigint, ms: number, socket: WaitingCaller['socket']) {
  if (socket.destroyed || socket.readableEnded) return
  const ended = new AbortController()
  const end = () => ended.abort()
  const timer = setTimeout(end, ms)
  socket.once('end', end).once('close', end)
  await feed.wait(after, ended.signal)
  socket.off('end', end).off('close', end)
  clearTimeout(timer)
}

/** The place after all events so far. */
export function endOfFeed({ feed }: Pick<Context, 'feed'>): Place {
  return feed.end
}

/** The events of one pet, by version or the newest first. */
export function listHistory({ histories }: Pick<Context, 'histories'>, request: HistoryRequest, caller?: Caller) {
  return histories(request, caller)
}

export function cursorExpired() {
  return new DomainError(
    'cursor_expired',
    'The events after this cursor are no longer in the feed: they are too old, or the store was restored. Get a new cursor with `from=now`, then read all pets again.',
  )
}

export function newestCursorExpired() {
  return new DomainError(
    'cursor_expired',
    'The store was restored after this cursor was issued. Start again with the newest event: send the request without `cursor`.',
  )
}
