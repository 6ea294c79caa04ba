import type { Caller } from '../lib/batch.ts'
import { type OrderKey, orderIdText, placedAtOf } from '../lib/ids/order-id.ts'
import { isoOf } from '../lib/rfc3339.ts'
import type { Idempotent } from '../storage/idempotency/stored-keys.ts'
import type { Closing } from '../storage/orders/close.ts'
import type { NewOrder, Rejection } from '../storage/orders/new-order.ts'
import { DomainError } from './errors.ts'
import { createOnce, fingerprintOf } from './idempotency.ts'
import { petNotFound } from './pets.ts'
import type { Principal } from './principal.ts'
import type { Store } from './store.ts'
import type { Order } from './types/order.ts'

type Orders = Pick<Store, 'orders'>

/** How many orders a key and those it was rotated to may have open, unless the operator has set another limit. */
export const DEFAULT_OPEN_ORDERS = 1_000

/** Places an order for one pet, if it is available; of several that race for it, one. With a key only once for this key. */
export async function placeOrder(
  { orders }: Orders,
  principal: Principal,
  order: NewOrder,
  key: string | undefined,
  caller?: Caller,
): Promise<{ order: Order; isReplay: boolean }> {
  const { keyId, chainId } = principal
  const mostOpen = principal.key.openOrders ?? DEFAULT_OPEN_ORDERS
  const input = { ...order, mostOpen }
  if (key === undefined) {
    const result = await orders.place({ ...input, keyId, chainId }, caller)
    if ('rejection' in result) throw notPlaced(order.petId, result.rejection, mostOpen)
    return { order: asPlaced(order, result.id, keyId), isReplay: false }
  }
  const request = { key, fingerprints: fingerprintsOf(order), input }
  const insert = async (item: Idempotent<NewOrder>) => {
    const result = await orders.idempotent.insert(item, caller)
    if (result.outcome === 'rejected') throw notPlaced(order.petId, result.rejection, mostOpen)
    return result
  }
  const { id, isReplay, keyId: placedBy } = await createOnce(insert, principal, request, caller)
  return { order: asPlaced(order, id, placedBy), isReplay }
}

/** The id of an order has the time at which it was placed: with the request and its key, that is all of the order. */
function asPlaced({ petId, expiresIn, reference }: NewOrder, id: bigint, placedBy: string): Order {
  const expiresAt = BigInt(placedAtOf(id).getTime() + expiresIn * 1_000)
  return { petId, id, status: 'placed', expiresAt, reference, placedBy }
}

/** As in domain/pets.ts: a change of what is hashed needs a version in front. */
function fingerprintsOf({ petId, expiresIn, reference }: NewOrder): [string, ...string[]] {
  return [fingerprintOf([String(petId), String(expiresIn), reference ?? null])]
}

const REJECTION_REASONS: Record<Exclude<Rejection, 'missing' | 'full'>, string> = {
  none: 'it has no status',
  pending: 'it is pending',
  held: 'it is pending, held by another order',
  sold: 'it is sold',
}

function notPlaced(petId: bigint, rejection: Rejection, mostOpen: number) {
  if (rejection === 'missing') return petNotFound(petId)
  if (rejection === 'full')
    return new DomainError(
      'too_many_open_orders',
      `This key has reached its limit of ${mostOpen} open order${mostOpen === 1 ? '' : 's'}, together with the keys it was rotated from and to. Complete or cancel one of them, or wait until one expires; or ask the operator for a higher limit.`,
    )
  return new DomainError(
    'pet_not_available',
    `The pet ${petId} cannot be ordered: ${REJECTION_REASONS[rejection]}. Only a pet whose status is available can be ordered.`,
  )
}

export async function getOrder({ orders }: Orders, key: OrderKey, caller?: Caller) {
  const order = await orders.find(key, caller)
  if (!order) throw orderNotFound(orderIdText(key))
  return order
}

/** Ends an order, and returns it. Repeating it changes nothing; an order that has ended another way stays as it is. */
export async function closeOrder({ orders }: Orders, { keyId }: Principal, closing: Closing, caller?: Caller) {
  const result = await orders.close({ ...closing, keyId }, caller)
  if (result.outcome === 'missing') throw orderNotFound(orderIdText(closing))
  const { order } = result
  if (order.status !== closing.status)
    throw new DomainError(
      'order_closed',
      `The order ${orderIdText(order)} cannot be ${closing.status}: it ${END[order.status]} at ${isoOf(order.closedAt ?? 0n)}.`,
    )
  return order
}

const END = { placed: 'was placed', completed: 'was completed', cancelled: 'was cancelled', expired: 'expired' }

/** Also for text that is no id, as the client sent it. */
export function orderNotFound(id: bigint | string) {
  return new DomainError('order_not_found', `No order has the id ${id}.`)
}
