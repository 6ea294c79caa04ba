import type { DeprecatedCalls } from '../storage/deprecations/calls.ts'
import type { Job } from './runner.ts'

const LAST_ROUND_MS = 1_000

/** Adds the counts of deprecated calls to the database. A process that is killed loses at most one interval of them. */
export function storeDeprecatedCalls(calls: DeprecatedCalls): Job {
  return {
    task: 'deprecations',
    intervalMs: 2_000,
    failure: 'could not store how often deprecated operations are called; will retry',
    run: () => calls.store(),
    finish: () => calls.store(performance.now() + LAST_ROUND_MS),
  }
}
