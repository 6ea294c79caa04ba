import type { Clause } from './clause.ts'

// Clauses that mostly wait, by the beginning of their ids, the longest first: from 18 seconds to one.
const WAITING = [
  'webhooks.w11',
  'webhooks.w10',
  'events.e5.over.9',
  'webhooks.w5.disabled',
  'webhooks.w2.',
  'webhooks.delivery.types.changed',
  'webhooks.delivery.pause',
  'orders.o9',
  'framing.slow.',
  'webhooks.w6.',
  'webhooks.delivery.',
  'events.e5.',
  'events.e1.expired',
  'orders.o8.',
  'orders.o5.expire',
  'orders.o6.expired',
]

/** Those that mostly wait, in the order to start them in, and the others. */
export function splitByWaiting(clauses: Clause[]) {
  // A webhook is noticed in a second or two.
  const rankOf = ({ id, setting }: Clause) => {
    const rank = WAITING.findIndex((beginning) => id.startsWith(beginning))
    return rank === -1 && setting === 'local receivers' ? WAITING.length : rank
  }
  return {
    waiting: clauses.filter((clause) => rankOf(clause) >= 0).toSorted((a, b) => rankOf(a) - rankOf(b)),
    others: clauses.filter((clause) => rankOf(clause) < 0),
  }
}
