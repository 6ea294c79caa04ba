import type { DeprecatedCalls } from '../storage/deprecations/calls.ts'
import type { Feed } from '../storage/events/feed.ts'
import { prunePages } from '../storage/events/pruner.ts'
import { prune } from '../storage/idempotency/pruner.ts'
import type { Orders } from '../storage/orders/orders.ts'
import type { Transactional } from '../storage/postgres/statement.ts'
import type { Words } from '../storage/search/words.ts'
import { pruneSessions } from '../storage/sessions/pruner.ts'
import { type Job, pause } from './runner.ts'

export interface JobDependencies {
  background: Transactional
  deprecatedCalls: Pick<DeprecatedCalls, 'store'>
  orders: Pick<Orders, 'expire'>
  feed: Pick<Feed, 'sequence'>
  words: Pick<Words, 'advance'>
  eventsRetentionMs: number
}

// A pet that changes all the time is unlocked now and then. All tries together take less than the interval.
const EXPIRY_TRIES = 15
const BUSY_PAUSE_MS = 50
// Lets requests have the pets that a part has locked, and the disk, in between.
const EXPIRY_PAUSE_MS = 5
// A part takes milliseconds, and pauses leave the disk to requests; still more is removed than can be added.
const PRUNING_PAUSE_MS = 20
const LAST_ROUND_MS = 1_000
// After words were made for as long as this, it pauses no longer: on a busy machine that took longer for other reasons.
const LONGEST_WORDS_PAUSE_MS = 100
// While a part of this work fails, the rest is done for so long before each report.
const REPORT_FAILURE_MS = 1_000

/** The background work of a process that serves. Of several processes, one at a time prunes, expires and sequences. */
export const SERVING_JOBS = {
  /** Idempotency keys are valid until they are older than a day. */
  pruneIdempotencyKeys: ({ background }: Pick<JobDependencies, 'background'>): Job => ({
    task: 'prune',
    intervalMs: 60_000,
    // Soon after the start, so that processes that never live long do it too.
    firstMs: 1_000,
    hasJitter: true,
    failure: 'could not remove old idempotency keys; will retry',
    run: (closing) => inParts(() => prune(background), closing),
  }),
  /** A process that is killed loses at most one interval of counts. */
  storeDeprecatedCalls: ({ deprecatedCalls }: Pick<JobDependencies, 'deprecatedCalls'>): Job => ({
    task: 'deprecations',
    intervalMs: 2_000,
    failure: 'could not store how often deprecated operations are called; will retry',
    run: () => deprecatedCalls.store(),
    finish: () => deprecatedCalls.store(performance.now() + LAST_ROUND_MS),
  }),
  expireOrders: ({ orders }: Pick<JobDependencies, 'orders'>): Job => ({
    task: 'expire',
    intervalMs: 1_000,
    failure: 'could not expire orders; will retry',
    async run(closing) {
      for (let tries = 1; tries <= EXPIRY_TRIES; tries++)
        if ((await expireAll(orders, closing)) === 0 || !(await pause(BUSY_PAUSE_MS, closing))) return
    },
  }),
  /** Gives events their place in the feed. */
  sequenceEvents: ({ feed }: Pick<JobDependencies, 'feed'>): Job => ({
    task: 'sequence',
    intervalMs: 50,
    failure: 'could not add new events to the feed; will retry',
    run: () => feed.sequence(),
  }),
  /** Makes the words that were not written with their pets, in half of the time, and removes those that pets no longer have. */
  makeWords: ({ words }: Pick<JobDependencies, 'words'>): Job => ({
    task: 'words',
    intervalMs: 1_000,
    failure: 'could not make the words by which pets are found; will retry',
    async run(closing) {
      const reportAt = performance.now() + REPORT_FAILURE_MS
      for (let isOpen = true; isOpen; ) {
        const began = performance.now()
        const { hasMore, failure } = await words.advance()
        if (failure !== undefined && (!hasMore || began >= reportAt)) throw failure
        isOpen = hasMore && (await pause(Math.min(performance.now() - began, LONGEST_WORDS_PAUSE_MS), closing))
      }
    },
  }),
  pruneEvents: ({ background, eventsRetentionMs }: Pick<JobDependencies, 'background' | 'eventsRetentionMs'>): Job => ({
    task: 'prune-events',
    intervalMs: 60_000,
    firstMs: 2_000,
    hasJitter: true,
    failure: 'could not remove old events; will retry',
    run: (closing) => inParts(() => prunePages(background, eventsRetentionMs), closing),
  }),
  pruneConsoleSessions: ({ background }: Pick<JobDependencies, 'background'>): Job => ({
    task: 'prune-sessions',
    intervalMs: 60_000,
    firstMs: 3_000,
    hasJitter: true,
    failure: 'could not remove console sessions that have ended; will retry',
    run: (closing) => inParts(() => pruneSessions(background), closing),
  }),
}

export function servingJobs(dependencies: JobDependencies): Job[] {
  return Object.values(SERVING_JOBS).map((open) => open(dependencies))
}

async function inParts(part: () => Promise<boolean>, closing: AbortSignal) {
  while ((await part()) && (await pause(PRUNING_PAUSE_MS, closing)));
}

/** Returns how many orders were locked: they are skipped, and must not keep the rest waiting. */
async function expireAll(orders: Pick<Orders, 'expire'>, closing: AbortSignal) {
  let skipped = 0
  do {
    const part = await orders.expire(skipped)
    if (!part) return 0
    skipped += part.skipped
    if (part.isLast) return skipped
  } while (await pause(EXPIRY_PAUSE_MS, closing))
  return 0
}
