import type { EventType, PetstoreEvent } from '@petstore/client'
import { signal } from '@preact/signals'
import { events, explain, hasCode } from '../api.ts'
import { onFeed } from '../feed.ts'
import { pagesFrom, readBlocks } from '../feed-blocks.ts'

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

/** So many are shown at most. */
const MOST = 500
/** In how many blocks before the end of the feed events of one type are looked for. */
const BLOCKS_OF_TYPE = 6

/** So many events of one pet are read at most. */
const MOST_OF_PET = 1_000

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
  const isCut = signal(false)
  const error = signal<string | undefined>(undefined)
  const ending = new AbortController()

  const matches = (event: PetstoreEvent) =>
    (type === undefined || event.type === type) && (petId === undefined || event.data.pet?.id === petId)
  // A history has no numbers of the feed, but versions.
  const placeOf = (line: Line) => {
    if ('gapAt' in line) return line.place
    return petId === undefined ? BigInt(line.sequence ?? 0) : (line.data.pet?.version ?? 0n)
  }
  /** Newest first, in whichever order they were found. */
  const merge = (fresh: readonly Line[], known: readonly Line[]) =>
    [...fresh, ...known].toSorted((a, b) => Number(placeOf(b) - placeOf(a))).slice(0, MOST)
  const put = (found: readonly PetstoreEvent[], target = isPaused.value ? waiting : lines) => {
    const shown = new Set([...lines.value, ...waiting.value].map((line) => 'id' in line && line.id))
    const fresh = found.filter((event) => matches(event) && !shown.has(event.id))
    if (fresh.length > 0) target.value = merge(fresh, target.value)
  }
  const putGap = () => {
    const target = isPaused.value ? waiting : lines
    const newest = waiting.value[0] ?? lines.value[0]
    const gap = { gapAt: new Date().toISOString(), place: newest ? placeOf(newest) : 0n }
    target.value = [gap, ...target.value].slice(0, MOST)
  }
  const load = async () => {
    error.value = undefined
    try {
      put(petId === undefined ? await readEnd() : await readHistory(petId), lines)
    } catch (thrown) {
      if (!ending.signal.aborted) error.value = explain(thrown)
    }
    isLoaded.value = true
  }
  const readEnd = async () => {
    const { starts, isWhole } = await readBlocks(ending.signal)
    isCut.value = !isWhole
    if (!isWhole) return []
    const first = starts.at(type === undefined ? -2 : -BLOCKS_OF_TYPE) ?? starts[0]
    let found: PetstoreEvent[] = []
    for await (const page of pagesFrom(first, ending.signal, type && [type]))
      found = [...found, ...page.events].slice(-MOST)
    return found
  }
  const readHistory = async (id: bigint) => {
    const found: PetstoreEvent[] = []
    for await (const event of events.history(id, { signal: ending.signal })) {
      isCut.value = found.length === MOST_OF_PET
      if (isCut.value) return []
      found.push(event)
    }
    return found
  }
  const stop = onFeed({
    events: (happened) => put(happened),
    resync: (missed) => {
      // The feed has only now begun, or continues after a gap.
      if (missed) putGap()
      else void catchUp()
    },
  })
  /** What happened between the first read and the beginning of the feed. */
  const catchUp = async () => {
    if (!isLoaded.value || error.value !== undefined) return
    await (petId === undefined ? readEnd() : readHistory(petId)).then(
      (found) => put(found),
      (thrown: unknown) => {
        if (hasCode(thrown, 'cursor_expired')) putGap()
      },
    )
  }

  return {
    lines,
    waiting,
    isPaused,
    isLoaded,
    isCut,
    error,
    load,
    pause: (paused: boolean) => {
      isPaused.value = paused
      if (paused) return
      lines.value = merge(waiting.value, lines.value)
      waiting.value = []
    },
    stop: () => {
      stop()
      ending.abort()
    },
  }
}
