import type { Expectation } from './oracle/expectation.ts'
import type { Json } from './oracle/json.ts'
import { asOrder, between, sameOrder } from './oracle/order.ts'
import type { OrderQuery } from './oracle/order-query.ts'
import { type Order, possible } from './oracle/world.ts'
import type { HttpResponse } from './response.ts'
import type { Store } from './store.ts'
import { nextPage, shown } from './verdict-pets.ts'

// The contract: an order is expired at most 5 s after its time.
const MOST_LATE_MS = 5_000

export function checkPlaced(expected: Expectation, { headers: given, body }: HttpResponse, value: Json, store: Store) {
  const { places, repeats, idempotencyKey } = expected
  const order = asOrder(value)
  if (!order || !places) return `a 201 that is not an order: ${shown(body)}`
  if (!given.get('location')?.endsWith(`/v1/store/orders/${order.id}`))
    return `201: Location is ${given.get('location')}`
  const isReplay = given.get('idempotent-replayed')
  if (isReplay !== (repeats === undefined ? undefined : 'true')) return `201: Idempotent-Replayed is ${isReplay}`
  if (repeats !== undefined)
    return body.toString() === repeats ? undefined : `a replay that is not the same: ${shown(body)}, not ${repeats}`
  const { petId, expiresIn, reference } = places
  if (order.petId !== petId || order.reference !== reference || order.status !== 'placed')
    return `a 201 whose body is not the order that was sent: ${shown(body)}`
  if (between(order.placedAt, order.expiresAt) !== expiresIn * 1_000)
    return `an order that does not expire after ${expiresIn} s: ${shown(body)}`
  if (store.petOf(order.id) !== undefined) return `201: the id ${order.id} was given before`
  if (idempotencyKey !== undefined) store.keepOrderKey(idempotencyKey, places, body.toString())
  return undefined
}

export function checkOrder({ order: due, changingOrder }: Expectation, value: Json, body: Buffer) {
  const order = asOrder(value)
  const known = due ?? changingOrder
  if (!order || !known || !sameOrder(order, known)) return `a 200 that is not the order: ${shown(body)}`
  return due ? checkEnd(due, order) : undefined
}

/** How an order has ended, and when. */
function checkEnd(due: Order, order: Order) {
  if (order.status !== due.status) return `the order ${order.id} is ${order.status}, not ${due.status}`
  if (order.closedAt === undefined) return undefined
  if (due.closedAt !== undefined && order.closedAt !== due.closedAt)
    return `the order ${order.id} ended at ${due.closedAt}, but now says ${order.closedAt}`
  const late = between(order.expiresAt, order.closedAt)
  if (order.status === 'expired' && (late < 0 || late > MOST_LATE_MS))
    return `the order ${order.id} has expired ${late} ms after its time`
  return between(order.placedAt, order.closedAt) < 0 ? `the order ${order.id} ended before it was placed` : undefined
}

/** A page contains what was asked for, the newest first, each order once and as it is now. */
export function checkOrders(query: OrderQuery, response: HttpResponse, value: Json, store: Store, sentAt: number) {
  const orders = Array.isArray(value) ? value.map(asOrder) : undefined
  if (!orders?.every((order) => order !== undefined))
    return `a list with an item that is not an order: ${shown(response.body)}`
  const { limit, status, petId, reference } = query
  if (orders.length > limit) return `${orders.length} orders with a limit of ${limit}`
  if (orders.some((order, i) => i > 0 && between(order.placedAt, orders[i - 1]?.placedAt ?? '') < 0))
    return 'a list of orders that does not begin with the newest'
  if (new Set(orders.map(({ id }) => id)).size < orders.length) return 'a list that contains an order twice'
  if (status !== undefined && orders.some((order) => order.status !== status))
    return `a list of ${status} orders contains another status`
  if (petId !== undefined && orders.some((order) => order.petId !== petId))
    return `a list of orders of ${petId} contains another pet`
  if (reference !== undefined && orders.some((order) => order.reference !== reference))
    return 'a list by reference contains another reference'
  const next = nextPage(response)
  if (next === undefined && response.headers.has('link')) return `Link is ${response.headers.get('link')}`
  if (next !== undefined) store.keepCursor('orders', next)
  for (const order of orders) {
    const fault = checkKnown(order, store, sentAt)
    if (fault) return fault
  }
  return next === undefined && query.cursor === undefined && petId !== undefined
    ? checkComplete(petId, orders, status, store, sentAt)
    : undefined
}

/** As one of the states says that its pet may be in. */
function checkKnown(order: Order, store: Store, sentAt: number) {
  const window = { from: sentAt, to: performance.now() }
  const world = store.petOf(order.id) === undefined ? undefined : store.world(order.petId)
  if (!world) return undefined
  const known = possible(world, window).flatMap(({ orders }) => orders.get(order.id) ?? [])
  if (!known.every((due) => sameOrder(due, order))) return `the order ${order.id} does not read back as it was placed`
  if (!store.isSettled(order.petId, window)) return undefined
  const faults = known.map((due) => checkEnd(due, order))
  return faults.includes(undefined) ? undefined : faults[0]
}

/** All orders of a pet are there, if nothing has changed them meanwhile. */
function checkComplete(petId: bigint, orders: Order[], status: string | undefined, store: Store, sentAt: number) {
  const window = { from: sentAt, to: performance.now() }
  const world = store.world(petId)
  if (!world || !store.isSettled(petId, window)) return undefined
  const [only, ...more] = possible(world, window)
  if (!only || more.length > 0) return undefined
  const due = [...only.orders.values()].filter((order) => status === undefined || order.status === status)
  const missing = due.find(({ id }) => !orders.some((order) => order.id === id))
  return missing ? `a list of the orders of ${petId} lacks ${missing.id}` : undefined
}
