import type { Orders } from '../storage/orders/orders.ts'
import { type Job, pause } from './runner.ts'

// Requests get the pets that a part has locked, and the disk, in between.
const PAUSE_MS = 5

/** Expires orders whose time is up, a part at a time. Of several processes, one at a time does it. */
export function expireOrders(orders: Pick<Orders, 'expire'>): Job {
  return {
    task: 'expire',
    intervalMs: 1_000,
    failure: 'could not expire orders; will retry',
    async run(closing) {
      // What others are changing is left for the next round, and must not keep this one from the rest.
      let skip = 0
      do {
        const part = await orders.expire(skip)
        if (!part || part.isLast) return
        skip += part.skipped
      } while (await pause(PAUSE_MS, closing))
    },
  }
}
