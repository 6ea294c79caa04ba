import type { Context } from './clause.ts'
import { expect, expectStatus, isInt64, isObject, jsonOf } from './expect.ts'
import type { Response } from './response.ts'
import { newPet } from './store.ts'
import type { Request } from './wire.ts'

export interface Order {
  id: string
  petId: bigint
  status: string
  placedAt: string
  expiresAt: string
  closedAt?: string
  reference?: string
  placedBy?: string
  closedBy?: string
}

export const ORDERS = '/store/orders'
const ORDER_STATUSES = ['placed', 'completed', 'cancelled', 'expired']
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export function placeBody(body: string | Buffer, headers: Record<string, string> = {}) {
  return { method: 'POST', path: ORDERS, headers: { 'Content-Type': 'application/json', ...headers }, body }
}

/** An order for this pet; `more` are further fields, like `"expiresIn":60`. */
export function place(petId: bigint | string, more = '', headers: Record<string, string> = {}) {
  return placeBody(`{"petId":${petId}${more && `,${more}`}}`, headers)
}

export function getOrder(orderId: string): Request {
  return { path: `${ORDERS}/${orderId}` }
}

export function close(orderId: string, how: 'complete' | 'cancel'): Request {
  return { method: 'POST', path: `${ORDERS}/${orderId}/${how}` }
}

export function orderOf(response: Response, status: 200 | 201 = 200): Order {
  expectStatus(response, status)
  return asOrder(response, jsonOf(response))
}

export function ordersOf(response: Response): Order[] {
  expectStatus(response, 200)
  const body = jsonOf(response)
  expect(response, Array.isArray(body), 'a bare JSON array')
  return body.map((item) => asOrder(response, item))
}

/** An available pet and an order that holds it. */
export async function placed({ call, add }: Pick<Context, 'call' | 'add'>, more = '') {
  const pet = await add(newPet('available'))
  const response = await call(place(pet.id, more))
  return { pet, response, order: orderOf(response, 201) }
}

export function asOrder(response: Response, value: unknown): Order {
  expect(response, isObject(value), 'an Order, which is a JSON object')
  const { id, petId, status, placedAt, expiresAt, closedAt, reference, placedBy, closedBy } = value
  expect(response, typeof id === 'string' && /^ord_[\w-]+$/.test(id), 'an Order with `id`, ord_…')
  expect(response, isInt64(petId), 'an Order with `petId`, an int64')
  expect(
    response,
    typeof status === 'string' && ORDER_STATUSES.includes(status),
    `an Order with \`status\`, one of ${ORDER_STATUSES.join(', ')}`,
  )
  expect(response, isInstant(placedAt), 'an Order with `placedAt`, in UTC with milliseconds')
  expect(response, isInstant(expiresAt), 'an Order with `expiresAt`, in UTC with milliseconds')
  expect(response, placedAt < expiresAt, 'an Order with `expiresAt` after `placedAt`')
  const order = { id, petId, status, placedAt, expiresAt }
  const ended = status !== 'placed'
  expect(response, ended === (closedAt !== undefined), 'an Order with `closedAt` once it has ended, and not before')
  expect(response, !ended || (isInstant(closedAt) && closedAt >= placedAt), '`closedAt`, not before `placedAt`')
  expect(response, reference === undefined || typeof reference === 'string', '`reference`, a string, or absent')
  expect(response, placedBy === undefined || typeof placedBy === 'string', '`placedBy`, a string, or absent')
  expect(response, closedBy === undefined || typeof closedBy === 'string', '`closedBy`, a string, or absent')
  expect(response, ended || closedBy === undefined, 'no `closedBy` before the order has ended')
  return {
    ...order,
    ...(isInstant(closedAt) && { closedAt }),
    ...(typeof reference === 'string' && { reference }),
    ...(typeof placedBy === 'string' && { placedBy }),
    ...(typeof closedBy === 'string' && { closedBy }),
  }
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && INSTANT.test(value)
}
