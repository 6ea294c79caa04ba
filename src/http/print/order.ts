import type { Order, OrderCount, OrderPage, OrderPageByTime } from '../../domain/types/order.ts'
import { orderIdText, placedAtOf } from '../../lib/ids/order-id.ts'
import { isoOf } from '../../lib/rfc3339.ts'
import { once } from './once.ts'

/** What `Order` describes. */
export function orderJson({ status, expiresAt, closedAt, reference, placedBy, closedBy, ...key }: Order) {
  const id = orderIdText(key)
  const placedAt = placedAtOf(key.id).toISOString()
  let json = `{"id":"${id}","petId":${key.petId},"status":"${status}","placedAt":"${placedAt}","expiresAt":"${isoOf(expiresAt)}"`
  if (closedAt !== undefined) json += `,"closedAt":"${isoOf(closedAt)}"`
  if (reference !== undefined) json += `,"reference":${JSON.stringify(reference)}`
  if (placedBy !== undefined) json += `,"placedBy":"${placedBy}"`
  if (closedBy !== undefined) json += `,"closedBy":"${closedBy}"`
  return `${json}}`
}

export const orderPageJson = once(({ orders }: OrderPage | OrderPageByTime) => `[${orders.map(orderJson).join(',')}]`)

/** What `OrderCount` describes. */
export function orderCountJson({ count, isMore }: OrderCount) {
  return `{"count":${count},"isMore":${isMore}}`
}

/** What `OrderCounts` describes. */
export function orderCountsJson(counts: OrderCount[]) {
  return `{"counts":[${counts.map(orderCountJson).join(',')}]}`
}
