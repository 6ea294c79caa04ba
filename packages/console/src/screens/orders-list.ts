import type { Order, PetstoreEvent } from '@petstore/client'
import { hasCode, orders } from '../api.ts'
import { createRows } from '../live-rows.ts'
import {
  boundsOf,
  compareOrders,
  isOpen,
  isOrderId,
  matchesOrder,
  type OrderSort,
  type OrderView,
  sortOf,
} from './orders-view.ts'
import { readPets, upsertEvent } from './pets/records.ts'

const LIMIT = 50

export type OrderList = ReturnType<typeof createOrderList>

/** An order that no longer matches stays where it is, as it is now. What is known of its pet is in `petOf`. */
export function createOrderList(view: OrderView) {
  const sort = sortOf(view)
  return createRows<Order, PetstoreEvent>({
    idOf: ({ id }) => id,
    compare: compareOrders(sort),
    versionOf: (order) => (isOpen(order) ? 0 : 1),
    isLaterPage: view.after !== undefined,
    read: async (signal) => {
      const page = await readPage(view, sort, signal)
      await readPets(
        page.rows.map(({ petId }) => petId),
        signal,
      )
      return page
    },
    // Only an open order can still change.
    reread: (rows, signal) => Promise.all(rows.filter(isOpen).map(({ id }) => orders.get(id, { signal }))),
    apply: (event) => {
      upsertEvent(event)
      const { order } = event.data
      return order && { row: order, isMatch: matchesOrder(view, order) }
    },
  })
}

async function readPage(view: OrderView, sort: OrderSort, signal: AbortSignal) {
  const { status, pet, find, after } = view
  if (find !== undefined && isOrderId(find)) {
    const found = await orders.get(find, { signal }).catch((error: unknown) => {
      // The client sends no id that can't be one.
      if (hasCode(error, 'order_not_found') || error instanceof TypeError) return undefined
      throw error
    })
    return { rows: found && matchesOrder(view, found) ? [found] : [], next: undefined }
  }
  const filter = {
    status,
    sort,
    reference: find,
    ...boundsOf(view.day),
    petId: typeof pet === 'bigint' ? pet : undefined,
  }
  const { orders: rows, next } = await orders.list({ ...filter, limit: LIMIT, signal }).page(after)
  return { rows, next }
}
