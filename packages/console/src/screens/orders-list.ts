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
    const gone = shown.filter(({ id }, place) => !fresh.has(id) && (place < last || last < 0))
    // Only a placed order can still change.
    const changeable = gone.filter((order) => order.status === 'placed')
    for (const order of await Promise.all(changeable.map(({ id }) => orders.get(id, { signal }))))
      fresh.set(order.id, order)
    // Those that are shown now: the person may have asked for newer ones meanwhile.
    return show(
      shown.map((order) => fresh.get(order.id) ?? order),
      page,
    )
  }
}
