import { type Json, Literal } from './json.ts'
import { canonicalInt64, int64 } from './new-pet.ts'
import type { NewOrder, Order } from './world.ts'

const DEFAULT_SECONDS = 900
// The contract: an order is expired at most 5 s after its time.
const MAX_LATE_MS = 5_000
const FIELDS = ['id', 'petId', 'status', 'placedAt', 'expiresAt', 'reference', 'closedAt', 'placedBy', 'closedBy']
const KEY_ID = /^key_[0-9A-Za-z]{16}$/
const TIME = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ID = /^ord_[A-Za-z0-9_-]{1,64}$/

/** The NewOrder that this value is; undefined when it is none. */
export function asNewOrder(value: Json | undefined): NewOrder | undefined {
  if (!(value instanceof Map)) return undefined
  const petId = int64(value.get('petId'))
  const expiresIn = value.has('expiresIn') ? int64(value.get('expiresIn')) : BigInt(DEFAULT_SECONDS)
  if (petId === undefined || expiresIn === undefined) return undefined
  const order = { petId, expiresIn: Number(expiresIn) }
  if (!value.has('reference')) return order
  const reference = value.get('reference')
  return typeof reference === 'string' ? { ...order, reference } : undefined
}

/** The Order that a response shows; undefined when a field is missing, too many, or not in the one form it is written in. */
export function asOrder(value: Json | undefined): Order | undefined {
  if (!(value instanceof Map) || ![...value.keys()].every((key) => FIELDS.includes(key))) return undefined
  const literal = value.get('petId')
  const petId = literal instanceof Literal ? canonicalInt64(literal.text) : undefined
  const [id, status, placedAt, expiresAt] = ['id', 'status', 'placedAt', 'expiresAt'].map((key) => textOf(value, key))
  const [reference, closedAt] = ['reference', 'closedAt'].map((key) => textOf(value, key))
  if (petId === undefined || id === undefined || !ID.test(id) || status === undefined) return undefined
  if (!isTime(placedAt) || !isTime(expiresAt) || (value.has('closedAt') && !isTime(closedAt))) return undefined
  if (value.has('reference') && reference === undefined) return undefined
  if ((status === 'placed') !== (closedAt === undefined)) return undefined
  // Whoever closed it, unless it has expired.
  if (!KEY_ID.test(textOf(value, 'placedBy') ?? '')) return undefined
  if (value.has('closedBy') !== (status === 'completed' || status === 'cancelled')) return undefined
  return {
    id,
    petId,
    status,
    placedAt,
    expiresAt,
    ...(reference === undefined ? {} : { reference }),
    ...(closedAt === undefined ? {} : { closedAt }),
  }
}

/** Whether it is the same order, whatever has become of it. */
export function sameOrder(a: Order, b: Order) {
  const fields = ['id', 'petId', 'placedAt', 'expiresAt', 'reference'] as const
  return fields.every((field) => a[field] === b[field])
}

/** How an order has ended, and when. */
export function checkEnd(due: Order, order: Order) {
  if (order.status !== due.status) return `the order ${order.id} is ${order.status}, not ${due.status}`
  if (order.closedAt === undefined) return undefined
  if (due.closedAt !== undefined && order.closedAt !== due.closedAt)
    return `the order ${order.id} ended at ${due.closedAt}, but now says ${order.closedAt}`
  const late = between(order.expiresAt, order.closedAt)
  if (order.status === 'expired' && (late < 0 || late > MAX_LATE_MS))
    return `the order ${order.id} has expired ${late} ms after its time`
  return between(order.placedAt, order.closedAt) < 0 ? `the order ${order.id} ended before it was placed` : undefined
}

/** Milliseconds between two times. */
export function between(from: string, to: string) {
  return Date.parse(to) - Date.parse(from)
}

function textOf(value: Map<string, Json>, key: string) {
  const text = value.get(key)
  return typeof text === 'string' ? text : undefined
}

export function isTime(text: string | undefined): text is string {
  return text !== undefined && TIME.test(text) && !Number.isNaN(Date.parse(text))
}
