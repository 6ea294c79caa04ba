import type { Order, OrderStatus, PetstoreEvent } from '@petstore/client'
import { orders } from '../api.ts'
import { createRows } from '../live-rows.ts'

const LIMIT = 50

/** An order that no longer matches stays where it is, as it is now. */
export function createOrderList(status: OrderStatus | undefined, petId: bigint | undefined, after: string | undefined) {
  return createRows<Order, PetstoreEvent>({
    idOf: ({ id }) => id,
    compare: (a, b) => Date.parse(b.placedAt) - Date.parse(a.placedAt),
    versionOf: (order) => (isOpen(order) ? 0 : 1),
    isLaterPage: after !== undefined,
    read: async (signal) => {
      const { orders: rows, next } = await orders.list({ status, petId, limit: LIMIT, signal }).page(after)
      return { rows, next }
    },
    // Only an open order can still change.
    reread: (rows, signal) => Promise.all(rows.filter(isOpen).map(({ id }) => orders.get(id, { signal }))),
    apply: ({ data: { order } }) =>
      order && {
        row: order,
        isMatch: (status === undefined || order.status === status) && (petId === undefined || order.petId === petId),
      },
  })
}

const isOpen = ({ status }: Order) => status === 'placed'
