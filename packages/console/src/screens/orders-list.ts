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
  /** Orders before this time were on the next page when the rows were shown; empty if there was none. */
  let oldest = ''
  const show = (rows: readonly Order[], page: OrderPage): OrderRows => {
    shown = rows
    const known = new Set(rows.map(({ id }) => id))
    return {
      rows,
      // One that is older has only moved up, because others are gone.
      newer: page.orders.filter(({ id, placedAt }) => !known.has(id) && placedAt > oldest).length,
      next: page.next,
      withNewer: () => showAll(page),
    }
  }
  const showAll = (page: OrderPage) => {
    oldest = (page.next !== undefined && page.orders.at(-1)?.placedAt) || ''
    return show(page.orders, page)
  }
  return async (signal: AbortSignal) => {
    const page = await orders.list({ status, petId, limit: LIMIT, signal }).page(after)
    // An empty list has no row that could move.
    if (!shown || shown.length === 0) return showAll(page)
    const fresh = new Map(page.orders.map((order) => [order.id, order]))
    // Only a placed order can still change.
    const changeable = shown.filter((order) => order.status === 'placed' && !fresh.has(order.id))
    for (const order of await Promise.all(changeable.map(({ id }) => orders.get(id, { signal }))))
      fresh.set(order.id, order)
    // Those that are shown now: the person may have asked for newer ones meanwhile.
    return show(
      shown.map((order) => fresh.get(order.id) ?? order),
      page,
    )
  }
}
