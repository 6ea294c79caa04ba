import { prune } from '../storage/idempotency/pruner.ts'
import type { Transactional } from '../storage/postgres/statement.ts'
import { type Job, pause } from './runner.ts'

// A part takes milliseconds, and pauses leave the disk to requests; still more keys are removed than can be added.
const PAUSE_MS = 20

/** Removes idempotency keys that are older than a day, a small part at a time. Until then they are honoured. */
export function pruneIdempotencyKeys(db: Transactional): Job {
  return {
    task: 'prune',
    intervalMs: 60_000,
    // Soon after the start, so that processes that never live long do it too.
    firstMs: 1_000,
    hasJitter: true,
    failure: 'could not remove old idempotency keys; will retry',
    async run(closing) {
      while ((await prune(db)) && (await pause(PAUSE_MS, closing)));
    },
  }
}
