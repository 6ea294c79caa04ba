import type { EventType, PetstoreEvent } from '@petstore/client'
import { signal } from '@preact/signals'
import { events, explain, hasCode } from '../api.ts'
import { onFeed } from '../feed.ts'

export const EVENT_TYPES = [
  'pet.created',
  'pet.updated',
  'pet.deleted',
  'order.placed',
  'order.completed',
  'order.cancelled',
  'order.expired',
  'pets.imported',
] as const satisfies readonly EventType[]

/** So many events one request reads. */
const PAGE = 100
/** So many are shown at most, unless older ones were asked for. */
const MOST = 500

/** A gap: events before this moment are missing. */
interface Gap {
  gapAt: string
  /** Above this place. */
  place: bigint
}
export type Line = PetstoreEvent | Gap

export interface Filter {
  type: EventType | undefined
  petId: bigint | undefined
}

/** The newest events first, those of the filter only, as they happen. */
export function openTail({ type, petId }: Filter) {
  const lines = signal<readonly Line[]>([])
  const waiting = signal<readonly Line[]>([])
  const isPaused = signal(false)
  const isLoaded = signal(false)
  const isReading = signal(false)
  /** Events were dropped to make room for new ones. */
  const isCut = signal(false)
  /** Where the next page of older events begins; undefined if there is none. */
  const older = signal<string | undefined>(undefined)
  const error = signal<string | undefined>(undefined)
  const ending = new AbortController()
  // Of one pet, every type is read.
  const types = type && petId === undefined ? [type] : undefined
  const list = events.newest({ limit: PAGE, types, petId, signal: ending.signal })
  let most = MOST
  let isWaitingCut = false

  const matches = (event: PetstoreEvent) =>
    (type === undefined || event.type === type) && (petId === undefined || event.data.pet?.id === petId)
  // A history has no numbers of the feed, but versions.
  const placeOf = (line: Line) => {
    if ('gapAt' in line) return line.place
    return petId === undefined ? BigInt(line.sequence ?? 0) : (line.data.pet?.version ?? 0n)
  }
  /** Newest first, in whichever order they were found. */
  const merge = (fresh: readonly Line[], known: readonly Line[]) =>
    [...fresh, ...known].toSorted((a, b) => Number(placeOf(b) - placeOf(a)))
  const show = (found: readonly Line[]) => {
    lines.value = found.slice(0, most)
    if (found.length <= most) return
    isCut.value = true
    // It would leave out those that were dropped.
    older.value = undefined
  }
  const hold = (found: readonly Line[]) => {
    waiting.value = found.slice(0, MOST)
    isWaitingCut ||= found.length > MOST
  }
  const idsShown = () => new Set([...lines.value, ...waiting.value].map((line) => 'id' in line && line.id))
  const put = (found: readonly PetstoreEvent[], isHeld = isPaused.value) => {
    const shown = idsShown()
    const fresh = found.filter((event) => matches(event) && !shown.has(event.id))
    if (fresh.length === 0) return
    if (isHeld) hold(merge(fresh, waiting.value))
    else show(merge(fresh, lines.value))
  }
  const putGap = () => {
    const newest = waiting.value[0] ?? lines.value[0]
    const gap = { gapAt: new Date().toISOString(), place: newest ? placeOf(newest) : 0n }
    if (isPaused.value) hold([gap, ...waiting.value])
    else show([gap, ...lines.value])
  }
  /** The newest events, or those before the ones that were read. */
  const load = async () => {
    error.value = undefined
    isReading.value = true
    try {
      const cursor = older.value
      const page = await list.page(cursor)
      // Unless what it follows was dropped meanwhile.
      if (older.value === cursor && !isCut.value) {
        most = Math.max(MOST, lines.value.length + PAGE)
        put(page.events, false)
        older.value = page.next
      }
    } catch (thrown) {
      // The store was restored: there is another past now.
      if (hasCode(thrown, 'cursor_expired')) clear()
      if (!ending.signal.aborted) error.value = explain(thrown)
    }
    isReading.value = false
    isLoaded.value = true
  }
  const clear = () => {
    lines.value = []
    isCut.value = false
    older.value = undefined
  }
  const stop = onFeed({
    events: (happened) => put(happened),
    resync: (missed) => {
      // The feed has only now begun, or continues after a gap.
      if (missed) putGap()
      else void catchUp()
    },
  })
  /** What happened between the first read and the beginning of the feed: back to an event that is known. */
  const catchUp = async () => {
    if (!isLoaded.value || error.value !== undefined) return
    const known = idsShown()
    let next: string | undefined
    try {
      for (let read = 0; read < MOST; read += PAGE) {
        const page = await list.page(next)
        put(page.events)
        next = page.next
        const isKnown = known.size === 0 || page.events.length === 0 || page.events.some(({ id }) => known.has(id))
        if (next === undefined || isKnown) return
      }
      putGap()
    } catch {
      // The feed says when it can be read again.
    }
  }

  return {
    lines,
    waiting,
    isPaused,
    isLoaded,
    isReading,
    isCut,
    older,
    error,
    load,
    readOlder: () => {
      if (!isReading.value) void load()
    },
    restart: () => {
      clear()
      void load()
    },
    pause: (paused: boolean) => {
      isPaused.value = paused
      if (paused) return
      isCut.value ||= isWaitingCut
      // Between what was dropped and what was shown before would be a gap.
      show(merge(waiting.value, isWaitingCut ? [] : lines.value))
      if (isWaitingCut) older.value = undefined
      waiting.value = []
      isWaitingCut = false
    },
    stop: () => {
      stop()
      ending.abort()
    },
  }
}
