import { type OrderKey, orderIdText, placedAtOf } from '../../lib/ids/order-id.ts'
import { aggregateOf, int64, millisecondsOf, optionalText, optionalWord, valueAt } from '../postgres/columns.ts'

export type OrderStatus = 'placed' | 'completed' | 'cancelled' | 'expired'

export interface StoredOrder extends OrderKey {
  status: OrderStatus
  /** In milliseconds since 1970, like `closedAt`. */
  expiresAt: bigint
  /** Only once it has ended. */
  closedAt?: bigint | undefined
  reference?: string | undefined
  /** The ids of keys: of the one that placed it, and of the one that closed it, if a client did. */
  placedBy?: string | undefined
  closedBy?: string | undefined
}

const ORDERS = aggregateOf({
  petId: int64('pet_id'),
  id: int64('id'),
  status: optionalWord<OrderStatus>('status'),
  expiresAt: int64(millisecondsOf('expires_at')),
  closedAt: optionalWord(`(${millisecondsOf('closed_at')})::text`),
  reference: optionalText('reference'),
  placedBy: optionalWord('placed_by'),
  closedBy: optionalWord('closed_by'),
})

/** The select list that reads many orders as one row; see `toOrders`. */
export const ORDER_COLUMNS = ORDERS.selectList
export type OrderColumns = Parameters<typeof ORDERS.decode>[0]

export function toOrders(row: OrderColumns): StoredOrder[] {
  const { petId: petIds, id: ids, status: statuses, expiresAt, closedAt, reference, ...keys } = ORDERS.decode(row)
  return petIds.map((petId, i) => {
    const closed = closedAt[i]
    return {
      petId,
      id: valueAt(ids, i),
      status: valueAt(statuses, i) ?? 'placed',
      expiresAt: valueAt(expiresAt, i),
      closedAt: closed === undefined ? undefined : BigInt(closed),
      reference: reference[i],
      placedBy: keys.placedBy[i],
      closedBy: keys.closedBy[i],
    }
  })
}

/** An order as clients receive it. */
export function orderJson({ status, expiresAt, closedAt, reference, placedBy, closedBy, ...key }: StoredOrder) {
  const id = orderIdText(key)
  const placedAt = placedAtOf(key.id).toISOString()
  let json = `{"id":"${id}","petId":${key.petId},"status":"${status}","placedAt":"${placedAt}","expiresAt":"${isoOf(expiresAt)}"`
  if (closedAt !== undefined) json += `,"closedAt":"${isoOf(closedAt)}"`
  if (reference !== undefined) json += `,"reference":${JSON.stringify(reference)}`
  if (placedBy !== undefined) json += `,"placedBy":"${placedBy}"`
  if (closedBy !== undefined) json += `,"closedBy":"${closedBy}"`
  return `${json}}`
}

export function isoOf(milliseconds: bigint) {
  return new Date(Number(milliseconds)).toISOString()
}
