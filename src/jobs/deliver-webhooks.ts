import type { LeaseTimes } from '../lib/times.ts'
import type { Job } from './runner.ts'

/** Keeps the leases of this process, and delivers what is due for the webhooks that it has leased. */
export function deliverWebhooks(
  deliverer: { tick: () => Promise<void>; finish: () => Promise<void> },
  { tickMs }: LeaseTimes,
): Job {
  return {
    task: 'deliver',
    intervalMs: tickMs,
    firstMs: 0,
    failure: 'could not store what was delivered; will retry',
    run: () => deliverer.tick(),
    finish: () => deliverer.finish(),
  }
}
