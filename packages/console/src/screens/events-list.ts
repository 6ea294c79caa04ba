import type { EventType, PetstoreEvent } from '@petstore/client'
import { events, hasCode } from '../api.ts'
import { createRows } from '../live-rows.ts'

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

export interface Filter {
  type?: EventType | undefined
  petId: bigint | undefined
}

/** The newest events first, those of the filter only, as they happen; older ones when they are asked for. */
export function createEventList({ type, petId }: Filter) {
  // The history of a pet has no filter by type.
  const types = type && petId === undefined ? [type] : undefined
  // A history has no numbers of the feed, but versions.
  const placeOf = ({ sequence, data }: PetstoreEvent) =>
    petId === undefined ? BigInt(sequence ?? 0) : (data.pet?.version ?? 0n)
  const isMatch = (event: PetstoreEvent) =>
    (type === undefined || event.type === type) && (petId === undefined || event.data.pet?.id === petId)
  return createRows<PetstoreEvent, PetstoreEvent>({
    isLog: true,
    idOf: ({ id }) => id,
    compare: (a, b) => Number(placeOf(b) - placeOf(a)),
    versionOf: () => 0,
    read: async (signal, cursor) => {
      const page = await events.newest({ limit: PAGE, types, petId, signal }).page(cursor)
      return { rows: page.events.filter(isMatch), next: page.next }
    },
    apply: (row) => ({ row, isMatch: isMatch(row) }),
    // The store was restored: there is another past now.
    isExpired: (error) => hasCode(error, 'cursor_expired'),
  })
}
