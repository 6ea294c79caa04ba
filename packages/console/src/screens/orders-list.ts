import type { Order, OrderPage, OrderStatus } from '@petstore/client'
import { orders } from '../api.ts'

const LIMIT = 50

export interface OrderRows {
  rows: readonly Order[]
  /** How many orders of the list are not shown yet. */
  newer: number
  next: string | undefined
  withNewer: () => OrderRows
}

/**
 * Reads a page again and again. Its rows change where they are: an order that no longer matches stays, as it is now, and new ones wait
 * until the person asks for them.
 */
export function createOrderList(status: OrderStatus | undefined, petId: bigint | undefined, after: string | undefined) {
  let shown: readonly Order[] | undefined
  const show = (rows: readonly Order[], page: OrderPage): OrderRows => {
    shown = rows
    const known = new Set(rows.map(({ id }) => id))
    return {
      rows,
      newer: page.orders.filter(({ id }) => !known.has(id)).length,
      next: page.next,
      withNewer: () => show(page.orders, page),
    }
  }
  return async (signal: AbortSignal) => {
    const page = await orders.list({ status, petId, limit: LIMIT, signal }).page(after)
    // An empty list has no row that could move.
    if (!shown || shown.length === 0) return show(page.orders, page)
    const fresh = new Map(page.orders.map((order) => [order.id, order]))
    // Behind the last row that is still on the page, rows have only moved to the next one.
    const last = shown.findLastIndex(({ id }) => fresh.has(id))
    const rows = shown.map(async (order, place) => {
      const known = fresh.get(order.id)
      if (known) return known
      return place > last && last >= 0 ? order : reread(order, signal)
    })
    return show(await Promise.all(rows), page)
  }
}

/** Only a placed order can still change. */
async function reread(order: Order, signal: AbortSignal) {
  return order.status === 'placed' ? orders.get(order.id, { signal }) : order
}
