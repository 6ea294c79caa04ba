import type { Order, OrderStatus } from '../../domain/types/order.ts'
import { aggregateOf, int64, millisecondsOf, optionalText, optionalWord, valueAt } from '../postgres/columns.ts'

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

export function toOrders(row: OrderColumns): Order[] {
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
