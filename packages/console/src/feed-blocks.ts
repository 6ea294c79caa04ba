import type { EventType, PetstoreEvent } from '@petstore/client'
import { events } from './api.ts'

// The feed is read forwards only. To get near its end, its blocks are passed over: with a rare type, one request passes over a
// thousand events and returns almost none of them.
const RARE: readonly EventType[] = ['pets.imported']
/** So many blocks are passed over at most. */
const MOST_BLOCKS = 40
const PAGE = 100

/** Where the feed begins for the service, of which there is no cursor. */
const OLDEST = 'oldest'

/** A place in the feed; undefined is the beginning. */
type Cursor = string | undefined

/** Where each block begins, and whether the last one ends where the feed ends. */
export async function readBlocks(signal: AbortSignal) {
  const list = events.list({ types: RARE, limit: PAGE, signal })
  const starts: Cursor[] = []
  for (let cursor: Cursor; starts.length < MOST_BLOCKS; ) {
    const { next } = await list.page(cursor)
    if (next === cursor) return { starts, isWhole: true }
    starts.push(cursor)
    cursor = next
  }
  return { starts, isWhole: false }
}

/** All pages from a place to the end of the feed. */
export async function* pagesFrom(start: Cursor, signal: AbortSignal, types?: readonly EventType[]) {
  const list = events.list({ types, limit: PAGE, signal })
  for (let cursor = start; ; ) {
    const page = await list.page(cursor)
    if (page.next === cursor) return
    yield { start: cursor, ...page }
    cursor = page.next
  }
}

const firstAfter = async (cursor: Cursor, signal: AbortSignal) =>
  (await events.list({ limit: 1, signal }).page(cursor)).events[0]

export interface Point {
  cursor: string
  /** The first event after it. */
  event: PetstoreEvent
}

/** The point before the oldest event that is kept; undefined if there is none. */
export async function oldestPoint(signal: AbortSignal): Promise<Point | undefined> {
  const event = await firstAfter(undefined, signal)
  return event && { cursor: OLDEST, event }
}

/** The point before the first event that happened at this time or later; undefined if there is none. */
export async function pointAt(time: number, signal: AbortSignal): Promise<Point | 'tooFar' | undefined> {
  const { starts, isWhole } = await readBlocks(signal)
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const event = await firstAfter(starts[middle], signal)
    if (event && Date.parse(event.time) < time) low = middle
    else high = middle - 1
  }
  // How many events follow is not known.
  if (!isWhole && low === MOST_BLOCKS - 1) return 'tooFar'
  for await (const page of pagesFrom(starts[low], signal)) {
    const place = page.events.findIndex((event) => Date.parse(event.time) >= time)
    const event = page.events[place]
    if (!event) continue
    if (place === 0) return { cursor: page.start ?? OLDEST, event }
    const { next } = await events.list({ limit: place, signal }).page(page.start)
    return { cursor: next, event }
  }
  return undefined
}
