import { PetstoreError, type PetstoreEvent } from '@petstore/client'
import { computed, effect, signal } from '@preact/signals'
import { createFeed, limitedUntil } from './api.ts'
import { isDue, isIdle, stir } from './idle.ts'
import { can, checkSession, endSession, key, state } from './session.ts'

/**
 * `polling`: the key can't read events. `offline`: the service does not respond, `limited`: it rejects the key for a while; the feed
 * continues by itself.
 */
export type FeedState = 'connecting' | 'live' | 'polling' | 'offline' | 'limited'

export interface Subscriber {
  /** Oldest first. */
  events?: (events: readonly PetstoreEvent[]) => void
  /** Something may have changed without an event: read again. `missed` if events in between will not come. */
  resync?: (missed: boolean) => void
}

type TabMessage =
  | { events: readonly PetstoreEvent[]; cursor: string }
  | { resync: boolean; cursor?: string }
  | { state: FeedState; limitedUntil: number }
  /** Sent by a tab that has just opened. */
  | { hello: true }

const POLL_MS = 5_000
/** Between checks whether the session is unused, and before the feed is requested again after a 401. */
const CHECK_MS = 1_000
/** After a longer absence, data is read again rather than updated by events. */
const LONGEST_ABSENCE_MS = 5 * 60_000
/** So many events wait for a tab to be seen. Beyond that, data is read again. */
const MAX_UNSEEN = 1_000
/** The first screen loads first. Tests choose how long it may take; a stored value that is no time is ignored. */
const STORED_START_MS = localStorage.getItem('petstore.feed-start-ms') ?? ''
const START_MS = /^\d{1,4}$/.test(STORED_START_MS) ? Number(STORED_START_MS) : 1_000

export const feedState = signal<FeedState>('connecting')

const subscribers = new Set<Subscriber>()
/** What another tab has heard while this one was not seen: to react to it would send requests. */
let unseen: PetstoreEvent[] = []
/** As the argument of `resync`; undefined if none is due. */
let unseenResync: boolean | undefined
/** Of the tabs with this key: one that still shows another store must not get events of this one. */
let channel: BroadcastChannel | undefined
const keyId = computed(() => key.value?.id)
let cursor: string | undefined
let lastLiveAt = 0
let isLeader = false
/** The number of requests that failed in a row. */
let failures = 0

/** Calls the subscriber with changes of the store, until the returned function is called. */
export function onFeed(subscriber: Subscriber) {
  subscribers.add(subscriber)
  return () => {
    subscribers.delete(subscriber)
  }
}

/** Listens while the page is visible and a person is signed in. Of all tabs one listens, and passes events on to the others. */
export function startFeed() {
  const isVisible = signal(!document.hidden)
  const reconnects = signal(0)
  document.addEventListener('visibilitychange', () => {
    isVisible.value = !document.hidden
    if (isVisible.value) {
      stir()
      catchUp()
    }
    // The scopes of the key may have changed meanwhile.
    if (isVisible.value && state.value === 'signedIn') void checkSession()
  })
  // Does not wait for the next attempt.
  addEventListener('online', () => {
    reconnects.value++
  })
  effect(() => {
    if (keyId.value === undefined) return
    const opened = new BroadcastChannel(nameOf(keyId.value))
    opened.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => receive(data))
    opened.postMessage({ hello: true } satisfies TabMessage)
    channel = opened
    return () => {
      opened.close()
      cursor = undefined
      unseen = []
      unseenResync = undefined
    }
  })
  effect(() => {
    const name = keyId.value && nameOf(keyId.value)
    if (!isVisible.value || state.value !== 'signedIn' || !name) return
    // Read here, so that the effect runs again when one of them changes.
    void reconnects.value
    const stop = new AbortController()
    const timer = setTimeout(() => void lead(name, stop.signal), START_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  })
}

const nameOf = (id: string) => `petstore.feed.${id}`

/** Waits until no other tab with this key listens, then listens until `ending` aborts. */
async function lead(name: string, ending: AbortSignal) {
  const hold = async () => {
    isLeader = true
    try {
      await Promise.all([listen(ending), endWhenIdle(ending)])
    } finally {
      isLeader = false
    }
  }
  await navigator.locks.request(name, { signal: ending }, hold).catch((error: unknown) => {
    if (!ending.aborted) throw error
  })
}

async function listen(ending: AbortSignal) {
  while (!ending.aborted) {
    try {
      if (can('events:read')) await follow(ending)
      else await poll(ending)
    } catch (error) {
      if (ending.aborted) return
      const { code, status, retryAfter } = error instanceof PetstoreError ? error : {}
      if (code === 'cursor_expired') {
        cursor = undefined
        broadcast({ resync: true })
      } else if (status === 401) {
        await checkSession()
        // If the session has ended, `ending` has aborted. If not, or if that is unknown, the loop would request without end.
        await pause(CHECK_MS, ending)
      } else {
        setState(status === 429 ? 'limited' : 'offline')
        const backoffMs = Math.min(POLL_MS, 250 * 2 ** failures++) * (1 + Math.random())
        await pause(retryAfter === undefined ? backoffMs : retryAfter * 1_000, ending)
      }
    }
  }
}

async function follow(ending: AbortSignal) {
  const isLate = cursor !== undefined && Date.now() - lastLiveAt > LONGEST_ABSENCE_MS
  if (isLate) cursor = undefined
  const feed = createFeed(() => {
    // Reads that failed meanwhile can succeed now.
    if (isDown()) broadcast({ resync: false })
    failures = 0
    setState('live')
  })
  // A request that waits for events would take seconds to show that the service is back.
  if (cursor !== undefined && isDown()) {
    const page = await feed.list({ signal: ending }).page(cursor)
    broadcast({ events: page.events, cursor: page.next })
  }
  let isFirst = cursor === undefined
  for await (const page of feed.follow({ cursor, from: 'now', signal: ending })) {
    if (ending.aborted) return
    // There is no event for changes between the first read of a screen and the beginning of the feed.
    if (isFirst) broadcast({ resync: isLate, cursor: page.next })
    isFirst = false
    broadcast({ events: page.events, cursor: page.next })
  }
}

async function poll(ending: AbortSignal) {
  setState('polling')
  let readAt = Date.now()
  while (!ending.aborted) {
    await pause(Math.max(POLL_MS, limitedUntil.value - Date.now()), ending)
    if (ending.aborted) return
    if (!isDue(readAt)) continue
    readAt = Date.now()
    // The feed would have said so.
    await checkSession()
    broadcast({ resync: false })
  }
}

async function endWhenIdle(ending: AbortSignal) {
  while (!ending.aborted) {
    await pause(CHECK_MS, ending)
    if (!ending.aborted && isIdle()) await endSession()
  }
}

const isDown = () => feedState.value === 'offline' || feedState.value === 'limited'
const setState = (next: FeedState) => broadcast({ state: next, limitedUntil: limitedUntil.value })

/** Sends a message to this tab and the others. */
function broadcast(message: TabMessage) {
  receive(message)
  channel?.postMessage(message)
}

function receive(message: TabMessage) {
  if ('hello' in message) {
    if (isLeader) setState(feedState.value)
    return
  }
  if ('state' in message) {
    feedState.value = message.state
    limitedUntil.value = Math.max(limitedUntil.value, message.limitedUntil)
    if (message.state === 'live') lastLiveAt = Date.now()
    return
  }
  if (message.cursor !== undefined) cursor = message.cursor
  if ('resync' in message) unseenResync = message.resync || unseenResync === true
  else unseen.push(...message.events)
  if (unseen.length > MAX_UNSEEN) {
    unseen = []
    unseenResync = true
  }
  if (!document.hidden) catchUp()
}

function catchUp() {
  const [found, missed] = [unseen, unseenResync]
  if (found.length > 0) stir()
  unseen = []
  unseenResync = undefined
  for (const { events, resync } of subscribers) {
    if (found.length > 0) events?.(found)
    if (missed !== undefined) resync?.(missed)
  }
}

function pause(ms: number, ending: AbortSignal) {
  return new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      ending.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (ending.aborted) end()
    else ending.addEventListener('abort', end)
  })
}
