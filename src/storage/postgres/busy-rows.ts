import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../lib/batch.ts'
import { REQUEST_DEADLINE_MS } from './database.ts'
import { DatabaseBusy } from './failures.ts'

// The transaction that holds the row usually ends within a few milliseconds. Random, so that those who met do not meet again.
const FIRST_PAUSE_MS = 4
const LONGEST_PAUSE_MS = 50
// For the last attempt: one that is under way at the deadline has an unknown outcome.
const ATTEMPT_MS = 500

/**
 * Tries again as long as another transaction is changing the row, which is `undefined`. Statements skip locked rows instead of
 * waiting for them: no request waits for the rows of another request in its batch, and no two statements wait for each other.
 */
export async function untilFree<Result>(attempt: () => Promise<Result | undefined>, caller?: Caller): Promise<Result> {
  const deadline = (caller?.begun ?? performance.now()) + REQUEST_DEADLINE_MS
  for (let most = FIRST_PAUSE_MS; ; most = Math.min(2 * most, LONGEST_PAUSE_MS)) {
    const result = await attempt()
    if (result !== undefined) return result
    const pause = (0.25 + 0.75 * Math.random()) * most
    if (performance.now() + pause + ATTEMPT_MS >= deadline)
      throw new DatabaseBusy('another transaction kept the row locked')
    await sleep(pause)
  }
}
