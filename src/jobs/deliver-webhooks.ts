import type { Job } from './runner.ts'

/** Delivers events to webhooks as long as it can say in time which ones it delivers for. */
export function deliverWebhooks(deliverer: { beat: () => Promise<void>; finish: () => Promise<void> }): Job {
  return {
    task: 'deliver',
    intervalMs: 1_000,
    firstMs: 0,
    failure: 'could not store what was delivered; will retry',
    run: () => deliverer.beat(),
    finish: () => deliverer.finish(),
  }
}
