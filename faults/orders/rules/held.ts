import type { BuyersRecord, Ended, Placed } from '../record.ts'
import type { StoredOrder } from '../stored.ts'
import type { Rule } from './rule.ts'

/** The clock of the database may be a little ahead of ours. */
const CLOCKS_DIFFER_MS = 100

/** A pet belongs to one order at a time, and the two never contradict each other. */
export const HELD = {
  soldTwice: {
    must: 'a pet is sold once',
    broken: ({ ordersOf }) =>
      Array.from(ordersOf).flatMap(([petId, orders]) => {
        const completed = orders.filter(isCompleted)
        if (completed.length > 1) return [`pet ${petId} was sold by ${completed.map(idOf).join(' and ')}`]
        const last = orders.at(-1)
        return completed[0] && last && last !== completed[0]
          ? [`pet ${petId} was sold by ${completed[0].orderId}, and then ordered by ${last.orderId}`]
          : []
      }),
  },
  heldTwice: {
    must: 'a pet is held by one order at a time',
    broken: ({ record, ordersOf }) => [
      ...Array.from(ordersOf).flatMap(([petId, orders]) => {
        const placed = orders.filter(isPlaced)
        if (placed.length > 1) return [`pet ${petId} is held by ${placed.map(idOf).join(' and ')}`]
        // The one before must have ended in between, which makes a version too.
        return orders
          .filter(({ version }, i) => version - (orders[i - 1]?.version ?? 0n) < 2n)
          .map(({ orderId, version }) => `pet ${petId} was ordered by ${orderId} in version ${version}, too early`)
      }),
      ...overlapping(record),
    ],
  },
  heldWithoutOrder: {
    must: 'a pending pet is held by a placed order',
    broken: ({ stored, orders }) =>
      stored.pets
        .filter(({ status, orderId }) => status === 'pending' || orderId !== null)
        .filter(({ orderId }) => orderId === null || orders.get(orderId)?.status !== 'placed')
        .map(({ id, status, orderId }) => {
          const order =
            orderId === null ? 'no order' : `${orderId}, ${orders.get(orderId)?.status ?? 'which is missing'}`
          return `pet ${id} is ${status ?? 'without a status'} and held by ${order}`
        }),
  },
  placedWithoutPet: {
    must: 'a placed order holds its pet',
    broken: ({ stored, pets }) =>
      stored.orders.filter(isPlaced).flatMap(({ orderId, petId }) => {
        const pet = pets.get(petId)
        if (pet?.orderId === orderId && pet.status === 'pending') return []
        const state = pet ? `${pet.status ?? 'without a status'}, held by ${pet.orderId ?? 'no order'}` : 'missing'
        return [`${orderId} is placed and pet ${petId} is ${state}`]
      }),
  },
  soldWithoutOrder: {
    must: 'a pet is sold if, and only if, an order for it was completed',
    broken: ({ stored, ordersOf }) =>
      stored.pets
        .filter(({ id, status }) => (status === 'sold') !== (ordersOf.get(id) ?? []).some(isCompleted))
        .map(({ id, status }) => `pet ${id} is ${status ?? 'without a status'}: ${statusesOf(ordersOf.get(id) ?? [])}`),
  },
} satisfies Record<string, Rule>

/** An order holds its pet from its 201 at the latest until someone asks to end it, or its time is up. */
function overlapping({ placed, ended }: BuyersRecord) {
  const ends = Map.groupBy(ended, ({ orderId }) => orderId)
  return Array.from(Map.groupBy(placed, ({ petId }) => petId)).flatMap(([petId, orders]) =>
    orders.flatMap((order) => {
      const until = endOf(order, ends.get(order.orderId) ?? [])
      return orders
        .filter((other) => other.orderId !== order.orderId && other.begun > order.at && other.at < until)
        .map((other) => `pet ${petId} was held by ${order.orderId} when ${other.orderId} was placed`)
    }),
  )
}

function endOf({ expiresAt }: Placed, ended: Ended[]) {
  const due = Date.parse(expiresAt) - performance.timeOrigin - CLOCKS_DIFFER_MS
  return Math.min(due, ...ended.map(({ begun }) => begun))
}

function isCompleted({ status }: StoredOrder) {
  return status === 'completed'
}

function isPlaced({ status }: StoredOrder) {
  return status === 'placed'
}

function idOf({ orderId }: StoredOrder) {
  return orderId
}

function statusesOf(orders: StoredOrder[]) {
  return orders.length === 0 ? 'no orders' : orders.map(({ orderId, status }) => `${orderId} ${status}`).join(', ')
}
