import type { Request } from '../request.ts'
import { readBody } from './body.ts'
import { judgeCursor } from './cursor.ts'
import type { Expectation, Knowledge, Reject } from './expectation.ts'
import { headers } from './headers.ts'
import { readKey } from './idempotency-key.ts'
import { type Json, Literal } from './json.ts'
import { asNewOrder, asOrder, sameNewOrder } from './order.ts'
import { readOrderQuery } from './order-query.ts'
import { close, type NewOrder, type OrderState, place, possible, type Window, type World } from './world.ts'

const LAST_ID = 2n ** 53n
const NO_PET: Expectation = { statuses: [404], codes: ['pet_not_found'] }
const NO_ORDER: Expectation = { statuses: [404], codes: ['order_not_found'] }
const INVALID: Expectation = { statuses: [400], codes: ['invalid_body'] }

export function judgePlace(request: Request, known: Knowledge, window: Window, reject: Reject): Expectation[] {
  const body = readBody(request, ['application/json'], reject)
  if (!('value' in body)) return [body]
  const order = asNewOrder(body.value)
  if (!order) return [INVALID]
  const given = readKey(headers(request, 'idempotency-key'))
  if (given === 'malformed') return [{ statuses: [400], codes: ['invalid_idempotency_key'] }]
  const outcomes = given.key === undefined ? ofPet(order, known, window) : ofKey(given.key, order, known, window)
  return isOddlySpelled(body.value) ? [...outcomes, INVALID] : outcomes
}

/** The contract does not say whether 9e2 is a number of seconds. */
function isOddlySpelled(value: Json) {
  const seconds = value instanceof Map ? value.get('expiresIn') : undefined
  return seconds instanceof Literal && !/^[0-9]+$/.test(seconds.text)
}

function ofKey(idempotencyKey: string, order: NewOrder, known: Knowledge, window: Window): Expectation[] {
  const before = known.orderedBy(idempotencyKey)
  const asIfNew = ofPet(order, known, window)
  if (!before) return asIfNew.map((outcome) => (outcome.places ? { ...outcome, idempotencyKey } : outcome))
  if (sameNewOrder(before.order, order)) return [{ statuses: [201], places: order, repeats: before.body }]
  // Where the other pet can't be ordered either, both are true.
  return [{ statuses: [422], codes: ['idempotency_key_reused'] }, ...asIfNew.filter(({ places }) => !places)]
}

function ofPet(order: NewOrder, known: Knowledge, window: Window): Expectation[] {
  const { petId, expiresIn } = order
  if (petId < 1n || petId >= LAST_ID) return [NO_PET]
  const world = known.world(petId)
  if (!world) return [OF_UNKNOWN_PET]
  return possible(world, window).map((now) => {
    if (!now.pet) return { ...NO_PET, next: () => now }
    const { status = 'no status' } = now.pet
    if (status !== 'available')
      return { statuses: [409], codes: ['pet_not_available'], says: [status], next: () => now }
    const next = (body: Json | undefined) => {
      const placed = asOrder(body)
      return placed ? place(now, placed, expiresIn, window) : now
    }
    return { statuses: [201], places: order, next }
  })
}

export function judgeClose(
  parameter: string | undefined,
  way: 'completed' | 'cancelled',
  known: Knowledge,
  window: Window,
): Expectation[] {
  return judgeOrder(parameter, known, window, (world, order) => {
    if (order.status === 'placed') {
      const next = (body: Json | undefined) => close(world, order, way, asOrder(body)?.closedAt)
      return { statuses: [200], order: { ...order, status: way }, next }
    }
    if (order.status !== way)
      return { statuses: [409], codes: ['order_closed'], says: [order.status], next: () => world }
    return shown(world, order)
  })
}

export function judgeGetOrder(parameter: string | undefined, known: Knowledge, window: Window): Expectation[] {
  return judgeOrder(parameter, known, window, (world, order) =>
    known.isSettled(world.petId, window) ? shown(world, order) : { statuses: [200], changingOrder: order },
  )
}

function judgeOrder(
  parameter: string | undefined,
  known: Knowledge,
  window: Window,
  judge: (world: World, order: OrderState) => Expectation,
): Expectation[] {
  const id = parameter ?? ''
  const petId = known.petOf(id)
  if (petId === undefined) return [NO_ORDER]
  const world = known.world(petId)
  if (!world) return [OF_FORGOTTEN_PET]
  return possible(world, window).map((now) => {
    const order = now.orders.get(id)
    return order ? judge(now, order) : NO_ORDER
  })
}

/** The order as it is. The time at which it has expired is known from then on. */
function shown(world: World, order: OrderState): Expectation {
  const next = (body: Json | undefined) => {
    const closedAt = asOrder(body)?.closedAt
    if (closedAt === undefined) return world
    return { ...world, orders: new Map([...world.orders, [order.id, { ...order, closedAt }]]) }
  }
  return { statuses: [200], order, next }
}

export function judgeListOrders(search: string, known: Knowledge): Expectation {
  const orders = readOrderQuery(search)
  if (Array.isArray(orders)) return { statuses: [400], codes: orders }
  return { ...judgeCursor('orders', orders.cursor, known), orders }
}

// A pet that others have added: it may be in any state.
const OF_UNKNOWN_PET: Expectation = {
  statuses: [201, 404, 409],
  codes: ['pet_not_found', 'pet_not_available'],
}

// An earlier response about the pet was wrong.
const OF_FORGOTTEN_PET: Expectation = { statuses: [200, 409], codes: ['order_closed'] }
