import { closeOrder, getOrder, orderNotFound, placeOrder } from '../../domain/orders.ts'
import { orderIdText, parseOrderId } from '../../lib/ids/order-id.ts'
import { operation } from '../operation.ts'
import { orderCountJson, orderCountsJson, orderJson, orderPageJson } from '../print/order.ts'
import type { Resource } from '../resource.ts'
import { encodeCursor } from '../wire/cursor.ts'
import { RequestError } from '../wire/errors.ts'
import { nextLink, readCursor } from '../wire/pagination.ts'
import { NOT_OPEN, notAscending, readByTime, readCounted, readPeriods } from './by-time.ts'
import {
  ALREADY,
  CANCELLED,
  COMPLETED,
  COUNTS,
  COUNTS_BY_PERIOD,
  DAYS,
  FOUND,
  NEW_ORDERS,
  NEWLY_PLACED,
  NOT_AVAILABLE,
  NOT_FOUND,
  ORDER_ID,
  PAGES,
  TOO_MANY,
} from './examples.ts'
import {
  CountOrdersByPeriodQuery,
  CountOrdersQuery,
  DEFAULT_EXPIRES_IN,
  ListOrdersQuery,
  NewOrder,
  Order,
  OrderCount,
  OrderCounts,
  OrderStatus,
  Orders,
} from './schemas.ts'

const DEFAULT_LIMIT = 20
const PATH = '/store/orders'

const EXCLUSIVE = '`petId` and `reference` cannot be combined; send one of them.'

const COMMON = { tag: 'orders' } as const
const ORDER = {
  orderId: {
    description: 'The id of the order.',
    example: ORDER_ID,
    parse: parseOrderId,
    schema: { type: 'string' },
    notFound: orderNotFound,
  },
} as const

export const orders: Resource = {
  name: 'orders',
  description: 'Orders: each holds one pet until it is completed, cancelled or expires.',
  schemas: [OrderStatus, NewOrder, Order, Orders, OrderCount, OrderCounts],

  declare(app, { baseUrl }) {
    const url = baseUrl + PATH
    operation(app, {
      ...COMMON,
      id: 'listOrders',
      method: 'GET',
      path: PATH,
      scope: 'orders:read',
      summary: 'List orders',
      description:
        'Returns a page of orders, newest first unless `sort` says otherwise. If there may be more, the `Link` header contains the URL of the next page (`rel="next"`). A filtered page may be short or empty and still have a next one: only a missing `Link` is the end. Following these links returns every order that exists and matches for the whole walk exactly once.',
      query: ListOrdersQuery,
      success: { status: 200, description: 'Success.', body: Orders, headers: ['NextLink'], examples: PAGES },
      errors: { invalid_parameter: EXCLUSIVE },
      handler: async (request) => {
        const { limit, status, petId, reference, sort, from, to, cursor } = request.query
        if (petId !== undefined && reference !== undefined) throw new RequestError('invalid_parameter', EXCLUSIVE)
        const byTime = readByTime(request.query)
        if (byTime) {
          const { walk, ...part } = byTime
          const page = await request.store.orders.listByTime({ ...part, limit: limit ?? DEFAULT_LIMIT }, request)
          const next = page.next && encodeCursor(walk, page.next.time, page.next.id, page.next.petId)
          return { content: orderPageJson(page), headers: linkTo(url, { limit, status, sort, from, to }, next) }
        }
        const after = keyOf(readCursor('orders', cursor, 2))
        const filter = { status, petId, reference }
        const page = await request.store.orders.list({ ...filter, after, limit: limit ?? DEFAULT_LIMIT }, request)
        const next = page.next && encodeCursor('orders', page.next.id, page.next.petId)
        return { content: orderPageJson(page), headers: linkTo(url, { limit, sort, ...filter }, next) }
      },
    })

    operation(app, {
      ...COMMON,
      id: 'countOrders',
      stability: 'beta',
      method: 'GET',
      path: `${PATH}/count`,
      scope: 'orders:read',
      summary: 'Count orders',
      description:
        'Returns how many orders there are, of one status if you like, and of those that have ended only the ones that did so in a span of time. Counts up to 1,000: a count of 1000 with `isMore` stands for 1,000 or more.',
      query: CountOrdersQuery,
      success: { status: 200, description: 'Success.', body: OrderCount, examples: COUNTS },
      errors: { invalid_parameter: NOT_OPEN },
      handler: async (request) => ({
        content: orderCountJson(await request.store.orders.count(readCounted(request.query), request)),
      }),
    })

    operation(app, {
      ...COMMON,
      id: 'countOrdersByPeriod',
      stability: 'beta',
      method: 'GET',
      path: `${PATH}/counts`,
      scope: 'orders:read',
      summary: 'Count orders by period',
      description:
        'Returns how many orders ended in each of up to 14 periods that follow each other, such as days: all of them as of one moment. An order that ended at a boundary belongs to the period that begins there. Each count goes up to 1,000: a count of 1000 with `isMore` stands for 1,000 or more.',
      query: CountOrdersByPeriodQuery,
      success: { status: 200, description: 'Success.', body: OrderCounts, examples: COUNTS_BY_PERIOD },
      errors: { invalid_parameter: notAscending(DAYS[0], DAYS[1]) },
      handler: async (request) => ({
        content: orderCountsJson(await request.store.orders.countPeriods(readPeriods(request.query), request)),
      }),
    })

    operation(app, {
      ...COMMON,
      id: 'placeOrder',
      method: 'POST',
      path: PATH,
      scope: 'orders:write',
      summary: 'Place an order',
      description:
        'Orders one pet that is `available`. The pet becomes `pending` and stays reserved until the order is completed (`sold`), cancelled or expires (`available`). Of several requests for the same pet one succeeds. A key, together with the keys it was rotated from and to, may have 1,000 open orders, unless the operator has set another limit. Once this returns 201, the order is stored durably. With an `Idempotency-Key`, the request can be retried without placing a second one: it returns the order as it was placed.',
      body: NewOrder,
      bodyExamples: NEW_ORDERS,
      idempotent: true,
      success: {
        status: 201,
        description: 'Order placed; the pet is reserved.',
        body: Order,
        headers: ['Location'],
        examples: NEWLY_PLACED,
      },
      errors: {
        invalid_body: '`petId` is required: an integer.',
        pet_not_found: 'No pet has the id 999.',
        pet_not_available: NOT_AVAILABLE,
        too_many_open_orders: TOO_MANY,
      },
      handler: async (request, key) => {
        const { petId, expiresIn = DEFAULT_EXPIRES_IN, reference } = request.body
        const wanted = { petId, expiresIn, reference }
        const { order, isReplay } = await placeOrder(request.store, request.principal, wanted, key, request)
        const location = `${baseUrl}${PATH}/${orderIdText(order)}`
        return { content: orderJson(order), headers: ['location', location], isReplay }
      },
    })

    operation(app, {
      ...COMMON,
      id: 'getOrder',
      method: 'GET',
      path: `${PATH}/{orderId}`,
      scope: 'orders:read',
      summary: 'Fetch one order',
      description: 'Returns one order by id.',
      params: ORDER,
      success: { status: 200, description: 'Order found.', body: Order, examples: FOUND },
      errors: { order_not_found: NOT_FOUND },
      handler: async (request) => ({
        content: orderJson(await getOrder(request.store, request.params.orderId, request)),
      }),
    })

    operation(app, {
      ...COMMON,
      id: 'completeOrder',
      method: 'POST',
      path: `${PATH}/{orderId}/complete`,
      scope: 'orders:write',
      summary: 'Complete an order',
      description:
        'Ends the order as `completed`; its pet becomes `sold`. This is final. Has no body. Repeating it returns the same order. Authorise a payment before it, and capture it afterwards: of completion, cancellation and expiry only one happens.',
      params: ORDER,
      success: { status: 200, description: 'Order completed.', body: Order, examples: COMPLETED },
      errors: { order_not_found: NOT_FOUND, order_closed: ALREADY.cancelled },
      handler: async (request) => {
        const closing = { ...request.params.orderId, status: 'completed' } as const
        return { content: orderJson(await closeOrder(request.store, request.principal, closing, request)) }
      },
    })

    operation(app, {
      ...COMMON,
      id: 'cancelOrder',
      method: 'POST',
      path: `${PATH}/{orderId}/cancel`,
      scope: 'orders:write',
      summary: 'Cancel an order',
      description:
        'Ends the order as `cancelled`; its pet becomes `available` again. Has no body. Repeating it returns the same order.',
      params: ORDER,
      success: { status: 200, description: 'Order cancelled.', body: Order, examples: CANCELLED },
      errors: { order_not_found: NOT_FOUND, order_closed: ALREADY.completed },
      handler: async (request) => {
        const closing = { ...request.params.orderId, status: 'cancelled' } as const
        return { content: orderJson(await closeOrder(request.store, request.principal, closing, request)) }
      },
    })
  },
}

function linkTo(url: string, parameters: Parameters<typeof nextLink>[1], next: string | undefined) {
  return next === undefined ? [] : ['link', nextLink(url, parameters, next)]
}

/** The order that a cursor stands on. */
function keyOf([id, petId]: bigint[] = []) {
  return id === undefined || petId === undefined ? undefined : { id, petId }
}
