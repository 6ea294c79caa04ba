import { orderSent } from './oracle/change.ts'
import { type Json, Literal } from './oracle/json.ts'
import { asOrder, between, checkEnd, sameOrder } from './oracle/order.ts'
import type { Search } from './oracle/search.ts'
import { type Order, possible } from './oracle/world.ts'
import { sentIn } from './request.ts'
import { nextPage, type Shown, startOf } from './shown.ts'
import type { Store } from './store.ts'
import { checkReplay } from './verdict-once.ts'

export function checkPlaced(shown: Shown) {
  const { request, response, store } = shown
  const order = orderSent(sentIn(request), response.body)
  if (typeof order === 'string') return order
  const location = response.headers.get('location')
  if (!location?.endsWith(`/v1/store/orders/${order.id}`)) return `201: Location is ${location}`
  const { isReplay, fault } = checkReplay(shown)
  if (fault !== undefined || isReplay) return fault
  return store.petOf(order.id) === undefined ? undefined : `201: the id ${order.id} was given before`
}

export function checkOrder({ parameter, value, response, store, sentAt }: Shown) {
  const order = asOrder(value)
  if (order?.id !== parameter) return `a 200 that is not the order: ${startOf(response.body)}`
  return order && checkKnown(order, store, sentAt)
}

/** A page contains what was asked for, the newest first, each order once and as it is now. */
export function checkOrders({ search, response, value, store, sentAt }: Shown) {
  const orders = Array.isArray(value) ? value.map(asOrder) : undefined
  if (!orders?.every((order) => order !== undefined))
    return `a list with an item that is not an order: ${startOf(response.body)}`
  if (orders.length > search.limit) return `${orders.length} orders with a limit of ${search.limit}`
  const sort = search.get('sort') ?? 'newest'
  if (orders.some((order, i) => i > 0 && !isSorted(orders[i - 1] ?? order, order, sort)))
    return `a list of orders that are not ${sort}`
  if (new Set(orders.map(({ id }) => id)).size < orders.length) return 'a list that contains an order twice'
  const other = orders.find((order) => !isOrderAskedFor(order, search))
  if (other) return `a list contains the order ${other.id}, which was not asked for`
  const next = nextPage(response)
  if (next === undefined && response.headers.has('link')) return `Link is ${response.headers.get('link')}`
  if (next !== undefined) store.keepCursor(next)
  const fault = orders.map((order) => checkKnown(order, store, sentAt)).find((each) => each !== undefined)
  if (fault !== undefined || next !== undefined || search.get('cursor') !== undefined) return fault
  const petId = search.int64('petId')
  const missing = store.ordersSeen(sentAt).find((order) => {
    return isOrderAskedFor(order, search) && !orders.some(({ id }) => id === order.id)
  })
  if (missing) return `a list of orders lacks ${missing.id}`
  return petId === undefined ? undefined : checkComplete(petId, orders, search.get('status'), store, sentAt)
}

/** Whether a list or a count with these parameters is of this order. */
export function isOrderAskedFor({ status, petId, reference, closedAt = '' }: Order, search: Search) {
  const asked = { status: search.get('status'), petId: search.int64('petId'), reference: search.get('reference') }
  const [from, to] = [search.time('from'), search.time('to')]
  const at = Date.parse(closedAt)
  return (
    (asked.status === undefined || status === asked.status) &&
    (asked.petId === undefined || petId === asked.petId) &&
    (asked.reference === undefined || reference === asked.reference) &&
    (from === undefined || at >= from) &&
    (to === undefined || at < to)
  )
}

function isSorted(one: Order, other: Order, sort: string) {
  if (sort === 'expiring') return between(one.expiresAt, other.expiresAt) >= 0
  return sort === 'closed'
    ? between(other.closedAt ?? '', one.closedAt ?? '') >= 0
    : between(other.placedAt, one.placedAt) >= 0
}

export function checkOrderCount({ response, value }: Shown) {
  return isCount(value) ? undefined : `no count: ${startOf(response.body)}`
}

/** As many counts as there are periods. */
export function checkOrderCounts({ search, response, value }: Shown) {
  const counts = value instanceof Map ? value.get('counts') : undefined
  const periods = (search.get('boundaries') ?? '').split(',').length - 1
  const isSound = Array.isArray(counts) && counts.length === periods && counts.every(isCount)
  return isSound ? undefined : `no counts of ${periods} periods: ${startOf(response.body)}`
}

function isCount(value: Json) {
  const [count, isMore] = value instanceof Map ? [value.get('count'), value.get('isMore')] : []
  const number = count instanceof Literal ? Number(count.text) : -1
  const isSound = Number.isInteger(number) && number >= 0 && number <= 1_000 && typeof isMore === 'boolean'
  return isSound && (!isMore || number === 1_000)
}

/** As one of the states says that its pet may be in. From then on, the time is known at which it has expired. */
function checkKnown(order: Order, store: Store, sentAt: number) {
  const window = { from: sentAt, to: performance.now() }
  const world = store.petOf(order.id) === undefined ? undefined : store.world(order.petId)
  if (!world) return undefined
  const faults: string[] = []
  for (const each of possible(world, window)) {
    const known = each.orders.get(order.id)
    if (!known || !sameOrder(known, order)) return `the order ${order.id} does not read back as it was placed`
    if (!store.isSettled(order.petId, window)) return undefined
    const fault = checkEnd(known, order)
    if (fault === undefined) {
      store.keep({ ...each, orders: new Map([...each.orders, [order.id, { ...known, ...order }]]) })
      return undefined
    }
    faults.push(fault)
  }
  return faults.join('; or ')
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
