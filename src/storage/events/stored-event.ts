import type { Order } from '../../domain/types/order.ts'
import type { PetStatus } from '../../domain/types/pet.ts'
import { type EventKey, eventIdText } from '../../lib/ids/event-id.ts'
import { orderIdText, placedAtOf } from '../../lib/ids/order-id.ts'
import { isoOf } from '../../lib/rfc3339.ts'
import { petRecordJson } from '../pets/stored-pet.ts'
import { aggregateOf, int64, millisecondsOf, optionalText, optionalWord, valueAt, word } from '../postgres/columns.ts'

const ORDER_TYPES = ['order.placed', 'order.completed', 'order.cancelled', 'order.expired'] as const
export const EVENT_TYPES = ['pet.created', 'pet.updated', 'pet.deleted', ...ORDER_TYPES, 'pets.imported'] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** In pages of the feed, each type has the bit of its place in EVENT_TYPES: add new types at the end. */
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
  at: int64('(extract(epoch from at) * 1000000)::bigint'),
  type: word<EventType>('type'),
  name: optionalText('name'),
  categoryId: digits('category_id'),
  status: optionalWord<PetStatus>('status'),
  orderId: digits('order_id'),
  changed: optionalWord<string>('changed'),
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

/** An event as clients receive it, in the feed, in a history and by webhooks. */
export interface StoredEvent {
  id: string
  /** 0 for an event of the whole store. */
  petId: bigint
  /** In microseconds since 1970. */
  at: bigint
  /** Its number in the feed, in digits; undefined in a history. */
  sequence: string | undefined
  json: string
}

/** `source` is where the events come from: the address of the service. */
export function toEvents(row: EventColumns, source: string): StoredEvent[] {
  const columns = EVENTS.decode(row)
  return columns.type.map((type, i) => {
    const event: EventRow = {
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
      keyId: columns.keyId[i],
      added: columns.added[i],
      idRanges: columns.idRanges[i],
      expiresAt: columns.expiresAt[i],
      closedAt: columns.closedAt[i],
      reference: columns.reference[i],
      placedBy: columns.placedBy[i],
    }
    const id = eventIdText(event)
    const { petId, at, sequence } = event
    return { id, petId, at, sequence, json: eventJson(id, event, source) }
  })
}

const SEQUENCE_DIGITS = 16

function eventJson(id: string, event: EventRow, source: string) {
  const { type, petId, at, sequence } = event
  const subject = petId === 0n ? 'pets' : `pets/${petId}`
  const place = sequence === undefined ? '' : `,"sequence":"${sequence.padStart(SEQUENCE_DIGITS, '0')}"`
  return `{"specversion":"1.0","id":"${id}","source":${JSON.stringify(source)},"type":"${type}","subject":"${subject}","time":"${isoOf(at / 1_000n)}"${place},"data":{${dataOf(event)}}}`
}

function dataOf(event: EventRow) {
  const { type, added, idRanges, changed, keyId } = event
  const parts = added === undefined ? [`"pet":${petOf(event)}`] : [`"added":${added}`]
  if (idRanges) parts.push(`"idRanges":${rangesJson(idRanges)}`)
  const order = isOrderType(type) ? orderOf(event, type) : undefined
  if (order) parts.push(`"order":${orderJson(order)}`)
  if (changed) parts.push(`"changed":["${changed.replaceAll(' ', '","')}"]`)
  if (keyId) parts.push(`"keyId":${JSON.stringify(keyId)}`)
  return parts.join()
}

/** PostgreSQL prints a multirange as `{[1,101),[200,301)}`: without the end of each range. */
function rangesJson(multirange: string) {
  const ranges = multirange.matchAll(/\[(\d+),(\d+)\)/g)
  return `[${Array.from(ranges, ([, first, end = '']) => `{"first":${first},"last":${BigInt(end) - 1n}}`).join()}]`
}

function petOf({ petId, version, name = '', categoryId = '', status, type, orderId }: EventRow) {
  const heldBy = type === 'order.placed' || !isOrderType(type) ? orderId : undefined
  return petRecordJson({ id: String(petId), name, categoryId, status, version: String(version), heldBy })
}

function isOrderType(type: EventType): type is (typeof ORDER_TYPES)[number] {
  return ORDER_TYPES.some((known) => known === type)
}

/** The order as it was after the change: when and by which key it ended, only if this was the end. */
function orderOf(event: EventRow, type: (typeof ORDER_TYPES)[number]) {
  const { petId, orderId, expiresAt, closedAt, reference, placedBy, keyId } = event
  if (orderId === undefined || expiresAt === undefined) return undefined
  const status = type.slice('order.'.length) as Order['status']
  const order: Order = { petId, id: BigInt(orderId), status, expiresAt: BigInt(expiresAt), reference, placedBy }
  return status === 'placed' || closedAt === undefined
    ? order
    : { ...order, closedAt: BigInt(closedAt), closedBy: keyId }
}

/** What `Order` describes. */
function orderJson({ status, expiresAt, closedAt, reference, placedBy, closedBy, ...key }: Order) {
  const id = orderIdText(key)
  const placedAt = placedAtOf(key.id).toISOString()
  let json = `{"id":"${id}","petId":${key.petId},"status":"${status}","placedAt":"${placedAt}","expiresAt":"${isoOf(expiresAt)}"`
  if (closedAt !== undefined) json += `,"closedAt":"${isoOf(closedAt)}"`
  if (reference !== undefined) json += `,"reference":${JSON.stringify(reference)}`
  if (placedBy !== undefined) json += `,"placedBy":"${placedBy}"`
  if (closedBy !== undefined) json += `,"closedBy":"${closedBy}"`
  return `${json}}`
}
