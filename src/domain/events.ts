import type { Socket } from 'node:net'
import type { Caller } from '../lib/batch.ts'
import type { Feed } from '../storage/events/feed.ts'
import type { NewestRequest } from '../storage/events/newest.ts'
import type { FeedRequest } from '../storage/events/pages.ts'
import type { Waiter } from '../storage/events/waits.ts'
import { DomainError } from './errors.ts'
import type { Store } from './store.ts'

/** How long a request may wait for an event if there is none. */
interface Wait {
  seconds: number
  /** Called if it does. */
  onWait: () => void
  /** Throws if the client may no longer read events: its key may have been revoked while it waited. */
  authenticate: (caller: Caller) => Promise<void>
}

/** A client whose disconnection ends its wait. */
interface WaitingCaller extends Caller {
  readonly socket: Pick<Socket, 'destroyed' | 'readableEnded' | 'once' | 'off'>
  readonly principal: Waiter
}

/** A page of the feed. At the end of the feed it is empty, after the wait; `isUnwaited` if there was no room to wait. */
export async function listEvents(
  { feed }: Pick<Store, 'feed'>,
  request: FeedRequest,
  { seconds, onWait, authenticate }: Wait,
  { socket, trace, begun, principal }: WaitingCaller,
) {
  const waitsUntil = performance.now() + seconds * 1_000
  let { after } = request
  for (let readsFrom = begun; ; readsFrom = performance.now()) {
    // The deadline of a statement does not include the time that was spent waiting.
    const page = await feed.list({ ...request, after }, { socket, trace, begun: readsFrom })
    if (!page) throw cursorExpired()
    if (!page.isKeyKnown) throw unknownKey(request.keyId)
    const left = waitsUntil - performance.now()
    const isEnd = page.events.length === 0 && page.isLast
    if (!isEnd || left <= 0 || !feed.canWait(principal.chainId)) return { page, isUnwaited: isEnd && left > 0 }
    onWait()
    for (let isKeyChanged = true; isKeyChanged; ) {
      isKeyChanged = await waitForEvent(feed, page.next.sequence, waitsUntil - performance.now(), socket, principal)
      if (socket.destroyed) return { page, isUnwaited: false }
      await authenticate({ socket, trace, begun: performance.now() })
    }
    if (feed.head.sequence <= page.next.sequence) return { page, isUnwaited: false }
    after = page.next
  }
}

/** A page of the feed that begins with the newest event, or continues before a position. */
export async function listNewest({ feed }: Pick<Store, 'feed'>, request: NewestRequest, caller: Caller) {
  const page = await feed.newest(request, caller)
  if (!page) throw newestCursorExpired()
  if (!page.isKeyKnown) throw unknownKey(request.keyId)
  return page
}

/**
 * Returns when there is an event after this number, when the time is over, or when the client has disconnected. A client that only
 * sends nothing more looks the same; its response comes early then, but does come. True if the key of the client has changed before.
 */
async function waitForEvent(feed: Feed, after: bigint, ms: number, socket: WaitingCaller['socket'], principal: Waiter) {
  if (socket.destroyed || socket.readableEnded) return false
  const ended = new AbortController()
  const end = () => ended.abort()
  const timer = setTimeout(end, ms)
  socket.once('end', end).once('close', end)
  const isKeyChanged = await feed.wait(after, ended.signal, principal)
  socket.off('end', end).off('close', end)
  clearTimeout(timer)
  return isKeyChanged
}

function unknownKey(keyId: string | undefined) {
  return new DomainError('invalid_parameter', `No key has the id ${keyId}.`)
}

export function cursorExpired() {
  return new DomainError('cursor_expired', { kind: 'events gone' })
}

export function newestCursorExpired() {
  return new DomainError('cursor_expired', { kind: 'store restored' })
}
