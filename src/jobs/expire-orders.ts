import type { Orders } from '../storage/orders/orders.ts'
import { type Job, pause } from './runner.ts'

// A pet that is changed again and again is free now and then. All the tries take less than the interval.
const TRIES = 15
const BUSY_PAUSE_MS = 50
// Requests get the pets that a part has locked, and the disk, in between.
const PAUSE_MS = 5

/** Expires orders whose time is up, a part at a time. Of several processes, one at a time does it. */
export function expireOrders(orders: Pick<Orders, 'expire'>): Job {
  return {
    task: 'expire',
    intervalMs: 1_000,
    failure: 'could not expire orders; will retry',
    async run(closing) {
      for (let tries = 1; tries <= TRIES; tries++)
        if ((await expireAll(orders, closing)) === 0 || !(await pause(BUSY_PAUSE_MS, closing))) return
    },
  }
}

/** Returns how many others were changing: they are skipped, and must not keep the rest waiting. */
async function expireAll(orders: Pick<Orders, 'expire'>, closing: AbortSignal) {
  let skipped = 0
  do {
    const part = await orders.expire(skipped)
    if (!part) return 0
    skipped += part.skipped
    if (part.isLast) return skipped
  } while (await pause(PAUSE_MS, closing))
  return 0
}
