import {
  EVENT_TYPES,
  type Event,
  type EventType,
  type IdRange,
  ORDER_TYPES,
  type PreviousValues,
} from '../../domain/types/event.ts'
import type { Order } from '../../domain/types/order.ts'
import type { PetRecord, PetStatus } from '../../domain/types/pet.ts'
import { type EventKey, eventIdText } from '../../lib/ids/event-id.ts'
import {
  aggregateOf,
  int64,
  microsecondsOf,
  millisecondsOf,
  optionalText,
  optionalWord,
  valueAt,
  word,
} from '../postgres/columns.ts'

/** In pages of the feed, each type has the bit of its place in EVENT_TYPES. */
export function typeBits(types: readonly EventType[]) {
  return types.reduce((bits, type) => bits | (1 << EVENT_TYPES.indexOf(type)), 0)
}

/** SQL for the bit of the type of an event; all bits for a type that only a later version knows, so that it finds its events. */
export const TYPE_BIT = `case type ${EVENT_TYPES.map((type) => `when '${type}' then ${typeBits([type])}`).join(' ')} else -1 end`

interface EventRow extends EventKey {
  sequence: string | undefined
  type: EventType
  name: string | undefined
  categoryId: string | undefined
  status: PetStatus | undefined
  orderId: string | undefined
  changed: string | undefined
  previousName: string | undefined
  previousCategoryId: string | undefined
  previousStatus: PetStatus | 'none' | undefined
  keyId: string | undefined
  added: string | undefined
  idRanges: string | undefined
  expiresAt: string | undefined
  closedAt: string | undefined
  reference: string | undefined
  placedBy: string | undefined
}

const digits = (expression: string) => optionalWord<string>(`(${expression})::text`)
const milliseconds = (column: string) => digits(millisecondsOf(column))

const EVENTS = aggregateOf<EventRow>({
  sequence: digits('sequence'),
  petId: int64('pet_id'),
  version: int64('version'),
  at: int64(microsecondsOf('at')),
  type: word<EventType>('type'),
  name: optionalText('name'),
  categoryId: digits('category_id'),
  status: optionalWord<PetStatus>('status'),
  orderId: digits('order_id'),
  changed: optionalWord<string>('changed'),
  previousName: optionalText('previous_name'),
  previousCategoryId: digits('previous_category_id'),
  previousStatus: optionalWord<PetStatus | 'none'>('previous_status'),
  keyId: optionalWord<string>('key_id'),
  added: digits('added'),
  idRanges: optionalText('id_ranges::text'),
  expiresAt: milliseconds('expires_at'),
  closedAt: milliseconds('closed_at'),
  reference: optionalText('reference'),
  placedBy: optionalWord<string>('placed_by'),
})

/** The select list that reads many events as one row: from the columns of `events`, and of `orders` that JOIN_ORDERS adds. */
export const EVENT_COLUMNS = EVENTS.selectList
export type EventColumns = Parameters<typeof EVENTS.decode>[0]

/** SQL for the rest of an order in the events that carry one. The order is still there: orders are never deleted. */
export const JOIN_ORDERS = `
          left join lateral (
            select expires_at, closed_at, reference, placed_by from orders
            where orders.pet_id = events.pet_id and orders.id = events.order_id and type like 'order.%' limit 1) as orders on true`

export function toEvents(row: EventColumns): Event[] {
  const columns = EVENTS.decode(row)
  return columns.type.map((type, i) =>
    eventOf({
      sequence: columns.sequence[i],
      petId: valueAt(columns.petId, i),
      version: valueAt(columns.version, i),
      at: valueAt(columns.at, i),
      type,
      name: columns.name[i],
      categoryId: columns.categoryId[i],
      status: columns.status[i],
      orderId: columns.orderId[i],
      changed: columns.changed[i],
      previousName: columns.previousName[i],
      previousCategoryId: columns.previousCategoryId[i],
      previousStatus: columns.previousStatus[i],
      keyId: columns.keyId[i],
      added: columns.added[i],
      idRanges: columns.idRanges[i],
      expiresAt: columns.expiresAt[i],
      closedAt: columns.closedAt[i],
      reference: columns.reference[i],
      placedBy: columns.placedBy[i],
    }),
  )
}

function eventOf(row: EventRow): Event {
  const { petId, at, sequence, type, added, idRanges, changed, keyId } = row
  return {
    id: eventIdText(row),
    petId,
    at,
    sequence,
    type,
    pet: added === undefined ? petOf(row) : undefined,
    order: isOrderType(type) ? orderOf(row, type) : undefined,
    added,
    idRanges: idRanges === undefined ? undefined : rangesOf(idRanges),
    changed: changed?.split(' '),
    previous: previousOf(row),
    keyId,
  }
}

/** Only a pet that is available can be ordered, and it is pending until the order ends: their events don't store that. */
function previousOf({ type, ...row }: EventRow): PreviousValues | undefined {
  if (isOrderType(type)) return { status: type === 'order.placed' ? 'available' : 'pending' }
  const { previousName: name, previousCategoryId: categoryId, previousStatus } = row
  const status = previousStatus === 'none' ? null : previousStatus
  const isStored = name !== undefined || categoryId !== undefined || status !== undefined
  return isStored ? { name, categoryId, status } : undefined
}

/** PostgreSQL prints a multirange as `{[1,101),[200,301)}`: without the end of each range. */
function rangesOf(multirange: string): IdRange[] {
  const ranges = multirange.matchAll(/\[(\d+),(\d+)\)/g)
  return Array.from(ranges, ([, first = '', end = '']) => ({ first: BigInt(first), last: BigInt(end) - 1n }))
}

function petOf({ petId, version, name = '', categoryId = '', status, type, orderId }: EventRow): PetRecord {
  const heldBy = type === 'order.placed' || !isOrderType(type) ? orderId : undefined
  return { id: petId, name, categoryId, status, version, heldBy }
}

function isOrderType(type: EventType): type is (typeof ORDER_TYPES)[number] {
  return ORDER_TYPES.some((known) => known === type)
}

/** The order as it was after the change: when and by which key it ended, only if this was the end. */
function orderOf(row: EventRow, type: (typeof ORDER_TYPES)[number]): Order | undefined {
  const { petId, orderId, expiresAt, closedAt, reference, placedBy, keyId } = row
  if (orderId === undefined || expiresAt === undefined) return undefined
  const status = type.slice('order.'.length) as Order['status']
  const order: Order = { petId, id: BigInt(orderId), status, expiresAt: BigInt(expiresAt), reference, placedBy }
  return status === 'placed' || closedAt === undefined
    ? order
    : { ...order, closedAt: BigInt(closedAt), closedBy: keyId }
}
