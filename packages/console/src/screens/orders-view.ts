import type { Order, OrderStatus } from '@petstore/client'
import { readDay, startOfDay } from '../days.ts'
import { readInt64 } from '../int64.ts'

// Which orders the list shows. Pure functions, so that tests need no browser.

export const ORDER_STATUSES = ['placed', 'completed', 'cancelled', 'expired'] as const satisfies readonly OrderStatus[]

export interface OrderView {
  /** All of them if it is undefined. */
  status: OrderStatus | undefined
  /** Of one pet; a string says what is wrong with its id. */
  pet: ReturnType<typeof readInt64> | undefined
  /** Of one reference, or the order with this id. */
  find: string | undefined
  /** Of those that have ended, the ones of a day of this browser: 2030-03-15. */
  day: string | undefined
  after: string | undefined
}

export function readOrderView(query: URLSearchParams): OrderView {
  const [pet, find] = [query.get('pet'), query.get('find')?.trim() || undefined]
  const petId = pet === null ? undefined : readInt64(pet)
  const named = query.get('status')
  // Those that need something done come first; of one pet or customer, all.
  const usual = pet === null && find === undefined ? 'placed' : undefined
  const status = named === 'all' ? undefined : (ORDER_STATUSES.find((one) => one === named) ?? usual)
  const day = sortOf({ status, pet: petId, find }) === 'closed' ? query.get('day') : null
  return {
    status,
    pet: petId,
    find,
    day: day !== null && boundsOf(day) ? day : undefined,
    after: query.get('after') ?? undefined,
  }
}

export type OrderSort = 'newest' | 'expiring' | 'closed'

/** The open order that ends soonest is the first to be looked after; what has ended last is looked for most. */
export function sortOf({ status, pet, find }: Pick<OrderView, 'status' | 'pet' | 'find'>): OrderSort {
  if (status === undefined || pet !== undefined || find !== undefined) return 'newest'
  return status === 'placed' ? 'expiring' : 'closed'
}

/** Below 0 if `a` is above `b`. */
export function compareOrders(sort: OrderSort) {
  const timeOf = ({ placedAt, expiresAt, closedAt = placedAt }: Order) =>
    Date.parse({ newest: placedAt, expiring: expiresAt, closed: closedAt }[sort])
  return (a: Order, b: Order) => (timeOf(b) - timeOf(a)) * (sort === 'expiring' ? -1 : 1)
}

export function matchesOrder({ status, pet, find, day }: OrderView, order: Order) {
  const { from, to } = boundsOf(day) ?? {}
  const closedAt = new Date(order.closedAt ?? 0)
  return (
    (status === undefined || order.status === status) &&
    (pet === undefined || order.petId === pet) &&
    (find === undefined || find === order.reference || find === order.id) &&
    (!from || !to || (from <= closedAt && closedAt < to))
  )
}

/** When a day of this browser begins and ends. */
export function boundsOf(day: string | undefined) {
  const from = readDay(day)
  return from && { from, to: startOfDay(from, 1) }
}

export const isOpen = ({ status }: Order) => status === 'placed'

export const isOrderId = (text: string) => /^ord_[\w-]+$/.test(text)

/** The order that somebody looked for: the only one that is open, or the only one at all. */
export function soughtOne(found: readonly Order[]) {
  const open = found.filter(isOpen)
  const [one, ...others] = open.length > 0 ? open : found
  return others.length === 0 ? one : undefined
}
