import type { EventType, PetstoreEvent } from '@petstore/client'
import { events, hasCode } from '../api.ts'
import { startOfDay } from '../days.ts'
import { createRows } from '../live-rows.ts'
import { texts } from '../texts.ts'

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

/** What happened, in words; a type that this version does not know has only its name. */
export const eventName = (type: string) => (texts.eventTypes as Record<string, string>)[type] ?? type

/** So many events one request reads. */
const PAGE = 100
/** Changes that are made at once may come in another order than their times. */
const SKEW_MS = 60_000

interface Filter {
  type?: EventType | undefined
  keyId?: string | undefined
  petId?: bigint | undefined
  /** When a day of this browser begins. */
  day?: Date | undefined
  /** How many the first page has. */
  limit?: number
}

/** A day that is over is read from its beginning: the way back to it has no end. Of a pet, the way is short. */
const isForward = ({ day, petId }: Filter, now = new Date()) =>
  day !== undefined && petId === undefined && day < startOfDay(now)

/**
 * The newest events first, those of the filter only, as they happen; older ones when they are asked for. Those of a day that is over: the
 * first ones first.
 */
export function createEventList(filter: Filter) {
  const { type, keyId, petId, day, limit = PAGE } = filter
  const isFromStart = isForward(filter)
  const [from, to] = day ? [day.getTime(), startOfDay(day, 1).getTime()] : [-Infinity, Infinity]
  // The history of a pet has no other filter.
  const wanted = petId === undefined ? { types: type && [type], keyId } : { petId }
  // A history has no numbers of the feed, but versions.
  const placeOf = ({ sequence, data }: PetstoreEvent) =>
    petId === undefined ? BigInt(sequence ?? 0) : (data.pet?.version ?? 0n)
  const isMatch = (event: PetstoreEvent) => {
    const time = Date.parse(event.time)
    return (
      (type === undefined || event.type === type) &&
      (keyId === undefined || event.data.keyId === keyId) &&
      (petId === undefined || event.data.pet?.id === petId) &&
      time >= from &&
      time < to
    )
  }
  const readBack = async (signal: AbortSignal, cursor?: string) => {
    const page = await events.newest({ limit, ...wanted, signal }).page(cursor)
    const last = page.events.at(-1)
    return last && Date.parse(last.time) < from - SKEW_MS ? { ...page, next: undefined } : page
  }
  const readOn = async (signal: AbortSignal, cursor?: string) => {
    const { types, keyId: by } = wanted
    const page = await events.list({ limit, from: day, types, keyId: by, signal }).page(cursor)
    const isOver = page.next === cursor || page.events.some(({ time }) => Date.parse(time) >= to + SKEW_MS)
    return isOver ? { ...page, next: undefined } : page
  }
  const list = createRows<PetstoreEvent, PetstoreEvent>({
    isLog: true,
    idOf: ({ id }) => id,
    compare: (a, b) => Number(placeOf(b) - placeOf(a)) * (isFromStart ? -1 : 1),
    versionOf: () => 0,
    read: async (signal, cursor) => {
      const page = await (isFromStart ? readOn : readBack)(signal, cursor)
      return { rows: page.events.filter(isMatch), next: page.next }
    },
    apply: (row) => ({ row, isMatch: isMatch(row) }),
    // The store was restored: there is another past now.
    isExpired: (error) => hasCode(error, 'cursor_expired'),
  })
  // Of a day that is over nothing is missed: its pages stay.
  return isFromStart ? { ...list, isFromStart, refresh: () => list.refresh() } : { ...list, isFromStart }
}
