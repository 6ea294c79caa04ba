import { writeNewOrder } from './bodies.ts'
import type { Connection } from './connection.ts'
import { digits } from './json.ts'
import {
  type NewOrder,
  ORDER,
  ORDER_COUNT,
  ORDER_COUNTS,
  type Order,
  type OrderCount,
  type OrderCounts,
  type OrderStatus,
} from './kinds.ts'
import { createList, searchOf } from './lists.ts'
import type { CallOptions, CreateOptions } from './options.ts'
import { itemIn } from './responses.ts'
import { create, send } from './send.ts'

const PATH = '/store/orders'

export interface OrderCountOptions extends CallOptions {
  /** Only orders of this status. */
  status?: OrderStatus | undefined
  /** Only orders that ended at this time or later. Needs a `status` other than `placed`, as `to` does. */
  from?: Date | undefined
  /** Only orders that ended before this time. */
  to?: Date | undefined
}

export interface OrderCountsOptions extends CallOptions {
  /** How the orders ended. */
  status: Exclude<OrderStatus, 'placed'>
  /** 2 to 15 times in ascending order. Each but the last begins a period, which ends before the next one. */
  boundaries: readonly Date[]
}

/** `from` and `to` go with the `sort` `closed`. The three are beta: they may still change. */
export interface OrderListOptions extends OrderCountOptions {
  /**
   * By when they were placed, `newest` first, which is the default; with the status `placed`, `expiring`: by when they expire, soonest
   * first; with another status, `closed`: by when they ended, newest first. The last two go neither with `petId` nor with `reference`.
   */
  sort?: 'newest' | 'expiring' | 'closed' | undefined
  /** Only orders of this pet. Not together with `reference`. */
  petId?: bigint | undefined
  /** Only orders with this reference. Not together with `petId`. */
  reference?: string | undefined
  /** The size of a page, 1 to 100. Iterating uses 100 by default. */
  limit?: number | undefined
}

export interface OrderPage {
  /** May be fewer than the limit, or none, although there are more: only `next` says whether there are. */
  orders: Order[]
  /** Where the next page begins; undefined on the last page. */
  next: string | undefined
}

/** Every order, page after page: `for await (const order of list)`. */
export interface OrderList extends AsyncIterable<Order> {
  /** One page: the first, or the one that `next` of another page points to. */
  page(cursor?: string): Promise<OrderPage>
}

export interface Orders {
  /** Orders, newest first unless `sort` says otherwise. Returns every order that exists and matches for the whole walk exactly once. */
  list(options?: OrderListOptions): OrderList
  /** How many orders there are, up to 1,000: with `isMore`, 1,000 or more. Beta: it may still change. */
  count(options?: OrderCountOptions): Promise<OrderCount>
  /**
   * How many orders ended in each period, such as a day: `counts` has one for each, up to 1,000: with `isMore`, 1,000 or more. Beta: it may
   * still change.
   */
  counts(options: OrderCountsOptions): Promise<OrderCounts>
  /**
   * Reserves a pet. Of several calls for one pet exactly one resolves; the others reject with the code `pet_not_available`. The order
   * is returned as it was placed, even if a call with the same `idempotencyKey` placed it and it has ended since.
   */
  place(order: NewOrder, options?: CreateOptions): Promise<Order>
  /** One order. If there is none with this id, it rejects with the code `order_not_found`. */
  get(id: string, options?: CallOptions): Promise<Order>
  /** Sells the pet. If the order was cancelled or has expired, it rejects with the code `order_closed`. Can be repeated. */
  complete(id: string, options?: CallOptions): Promise<Order>
  /** Releases the pet. If the order was completed or has expired, it rejects with the code `order_closed`. Can be repeated. */
  cancel(id: string, options?: CallOptions): Promise<Order>
}

export function createOrders(connection: Connection): Orders {
  const end =
    (verb: string) =>
    async (id: string, { signal }: CallOptions = {}) =>
      itemIn(await send(connection, { method: 'POST', path: `${pathOf(id)}/${verb}`, signal }), ORDER)

  return {
    list: ({ limit, status, sort, from, to, petId, reference, signal } = {}) =>
      createList(connection, {
        path: PATH,
        query: {
          limit,
          status,
          sort,
          ...timesOf(from, to),
          petId: petId === undefined ? undefined : digits('petId', petId),
          reference,
        },
        kind: ORDER,
        pageOf: (orders, next) => ({ orders, next }),
        signal,
      }),
    count: async ({ status, from, to, signal } = {}) => {
      const path = `${PATH}/count?${searchOf({ status, ...timesOf(from, to) })}`
      return itemIn(await send(connection, { method: 'GET', path, signal }), ORDER_COUNT)
    },
    counts: async ({ status, boundaries, signal }) => {
      const times = boundaries.map((time) => time.toISOString()).join(',')
      const path = `${PATH}/counts?${searchOf({ status, boundaries: times })}`
      return itemIn(await send(connection, { method: 'GET', path, signal }), ORDER_COUNTS)
    },
    place: async (order, options) => itemIn(await create(connection, PATH, writeNewOrder(order), options), ORDER),
    get: async (id, { signal } = {}) =>
      itemIn(await send(connection, { method: 'GET', path: pathOf(id), signal }), ORDER),
    complete: end('complete'),
    cancel: end('cancel'),
  }
}

function timesOf(from: Date | undefined, to: Date | undefined) {
  return { from: from?.toISOString(), to: to?.toISOString() }
}

/** Any other text could lead elsewhere. */
function pathOf(id: string) {
  if (!/^ord_[\w-]+$/.test(id)) throw new TypeError('`id` takes the id of an order, like ord_….')
  return `${PATH}/${id}`
}
