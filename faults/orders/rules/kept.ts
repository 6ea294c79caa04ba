import type { StoredOrder } from '../stored.ts'
import type { Rule } from './rule.ts'

/** What was acknowledged is stored, and as it was acknowledged. */
export const KEPT = {
  lost: {
    must: 'every acknowledged order is stored as it was acknowledged',
    broken: ({ record, orders }) => [
      ...record.placed.flatMap((placed) => {
        const order = orders.get(placed.orderId)
        if (!order) return [`${placed.orderId} was placed and is not stored`]
        const isSame =
          order.petId === placed.petId &&
          order.reference === placed.reference &&
          Math.round(order.expiresAt) === Date.parse(placed.expiresAt)
        return isSame ? [] : [`${placed.orderId} was placed as ${text(placed)} and is stored as ${text(order)}`]
      }),
      ...record.ended.flatMap(({ orderId, as, result }) => {
        const status = orders.get(orderId)?.status
        return result === 'acknowledged' && status !== as ? [`${orderId} was ${as} and is ${status ?? 'missing'}`] : []
      }),
    ],
  },
  endedByNobody: {
    must: 'an order ends because a buyer ended it or its time was up',
    broken: ({ record, stored }) => {
      const asked = new Set(record.ended.map(({ orderId, as }) => `${orderId} ${as}`))
      const ends: Partial<Record<StoredOrder['status'], (order: StoredOrder) => boolean>> = {
        completed: ({ orderId }) => asked.has(`${orderId} completed`),
        cancelled: ({ orderId }) => asked.has(`${orderId} cancelled`),
        // Down to the microsecond: it must not end before its time.
        expired: ({ expiresAt, closedAt }) => closedAt !== null && closedAt >= expiresAt,
      }
      return stored.orders
        .filter((order) => ends[order.status]?.(order) === false)
        .map((order) => `${order.orderId} is ${text(order)}`)
    },
  },
  rejectedInVain: {
    must: 'a call is rejected with order_closed only if the order ended otherwise',
    broken: ({ record, orders }) =>
      record.ended
        .filter(({ result }) => result === 'rejected')
        .filter(({ orderId, as }) => ['placed', as, undefined].includes(orders.get(orderId)?.status))
        .map(({ orderId, as }) => `${orderId} could not be ${as} and is ${orders.get(orderId)?.status ?? 'missing'}`),
  },
  placedTwice: {
    must: 'one call places one order',
    broken: ({ stored }) =>
      Array.from(Map.groupBy(stored.orders, ({ reference }) => reference))
        .filter(([reference, orders]) => reference !== null && orders.length > 1)
        .map(([reference, orders]) => `"${reference}" is the reference of ${orders.length} orders`),
  },
  deleted: {
    must: 'a pet is gone if its deletion was acknowledged, and is stored if nobody deleted it',
    broken: ({ record, pets }) => {
      const mayBeGone = new Set([...record.deleted, ...record.perhapsDeleted])
      return [
        ...record.deleted.filter((petId) => pets.has(petId)).map((petId) => `pet ${petId} was deleted and is stored`),
        ...[...record.placed, ...record.edited]
          .filter(({ petId }) => !pets.has(petId) && !mayBeGone.has(petId))
          .map(({ petId }) => `pet ${petId} is missing`),
      ]
    },
  },
} satisfies Record<string, Rule>

function text(order: object) {
  return JSON.stringify(order, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
