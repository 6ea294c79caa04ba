// The bodies that the document shows. A test sends what leads to each, and expects the response as it is written here.

import { orderIdText } from '../../lib/ids/order-id.ts'
import { encodeCursor } from '../wire/cursor.ts'

const AT = {
  placed: '2026-11-16T09:30:00.123Z',
  expires: '2026-11-16T09:45:00.123Z',
  closed: '2026-11-16T09:40:00.456Z',
}

/** Of the keys that placed and closed it. */
export const KEY_IDS = { placed: 'key_0a1B2c3D4e5F6g7H', closed: 'key_7H6g5F4e3D2c1B0a' }

/** The id of an order that was placed at this time, with these random bits. */
const idAt = (time: string, bits: bigint) => (BigInt(Date.parse(time)) << 21n) + bits
const ID = idAt(AT.placed, 4_711n)
export const ORDER_ID = orderIdText({ petId: 1n, id: ID })
/** An id that no order has. */
export const MISSING_ID = orderIdText({ petId: 999n, id: ID })
export const CURSOR = encodeCursor('orders', ID, 1n)

const PLACED = {
  id: ORDER_ID,
  petId: 1n,
  status: 'placed',
  placedAt: AT.placed,
  expiresAt: AT.expires,
  reference: 'basket-4711',
  placedBy: KEY_IDS.placed,
}
const MINIMAL = {
  id: orderIdText({ petId: 2n, id: idAt('2026-11-16T09:29:00.000Z', 42n) }),
  petId: 2n,
  status: 'expired',
  placedAt: '2026-11-16T09:29:00.000Z',
  expiresAt: '2026-11-16T09:30:00.000Z',
  closedAt: '2026-11-16T09:30:00.789Z',
}
const ended = (status: string) => ({ ...PLACED, status, closedAt: AT.closed, closedBy: KEY_IDS.closed })

export const NEW_ORDERS = {
  whole: { petId: 1n, expiresIn: 900, reference: 'basket-4711' },
  least: { petId: 1n },
}
const { reference: _, ...WITHOUT_REFERENCE } = PLACED
export const NEWLY_PLACED = { whole: PLACED, least: WITHOUT_REFERENCE }
export const FOUND = { order: PLACED }
export const PAGES = { placed: [PLACED], page: [PLACED, MINIMAL], empty: [] }
export const COUNTS = { some: { count: 2, isMore: false }, many: { count: 1_000, isMore: true } }
export const DAYS = ['2026-11-16T00:00:00Z', '2026-11-17T00:00:00Z', '2026-11-18T00:00:00Z']
export const COUNTS_BY_PERIOD = { days: { counts: [COUNTS.many, { count: 7, isMore: false }] } }
export const COMPLETED = { order: ended('completed') }
export const CANCELLED = { order: ended('cancelled') }

/** Messages of what can keep an operation from being carried out. */
export const NOT_AVAILABLE =
  'The pet 1 cannot be ordered: it is sold. Only a pet whose status is available can be ordered.'
export const TOO_MANY =
  'This key has reached its limit of 1000 open orders, together with the keys it was rotated from and to. Complete or cancel one of them, or wait until one expires; or ask the operator for a higher limit.'
export const NOT_FOUND = `No order has the id ${MISSING_ID}.`
export const ALREADY = {
  cancelled: `The order ${ORDER_ID} cannot be completed: it was cancelled at ${AT.closed}.`,
  completed: `The order ${MINIMAL.id} cannot be cancelled: it was completed at ${AT.closed}.`,
}
