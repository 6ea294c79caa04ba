import type { LeaseTimes } from '../lib/times.ts'
import type { Job } from './runner.ts'

/** Delivers events to webhooks as long as it can say in time which ones it delivers for. */
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
