import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../lib/batch.ts'
import { NOTABLE_MS, noteDelay } from '../../lib/delays.ts'
import { REQUEST_TIMES } from '../../lib/times.ts'
import { RowBusy } from './failures.ts'

// The transaction that holds the row usually ends within a few milliseconds. The pause is random, so that callers that collided do not
// collide again.
const FIRST_PAUSE_MS = 4
const LONGEST_PAUSE_MS = 50
const { requestMs, lastAttemptMs } = REQUEST_TIMES
// Per process. Changes of one row run one after the other, a few hundred a second.
const MAX_WAITING = 100

/**
 * Retries while another transaction has the row locked, which `attempt` reports as `undefined`. Statements skip locked rows instead of
 * waiting for them: no request waits for the rows of another request in its batch, and no two statements wait for each other.
 */
export async function retryWhileLocked<Result>(
  attempt: () => Promise<Result | undefined>,
  caller?: Caller,
): Promise<Result> {
  const deadline = (caller?.begun ?? performance.now()) + requestMs
  let busySince: number | undefined
  for (let most = FIRST_PAUSE_MS; ; most = Math.min(2 * most, LONGEST_PAUSE_MS)) {
    const result = await attempt()
    const pause = (0.25 + 0.75 * Math.random()) * most
    const isOver = result === undefined && performance.now() + pause + lastAttemptMs >= deadline
    if (busySince !== undefined && (result !== undefined || isOver)) noteBusy(busySince, caller)
    if (result !== undefined) return result
    if (isOver) throw new RowBusy('another transaction kept the row locked')
    busySince ??= performance.now()
    await sleep(pause)
  }
}

function noteBusy(since: number, caller: Caller | undefined) {
  const waitMs = performance.now() - since
  if (caller && waitMs >= NOTABLE_MS) noteDelay(caller, { name: 'locked row', waitMs, statementMs: 0 })
}

/** Limits how many requests wait to change the same row: one popular pet or category must not use up the capacity for all other requests. */
export class RowConcurrency {
  readonly #counts = new Map<bigint, number>()

  async run<Result>(id: bigint, work: () => Promise<Result>): Promise<Result> {
    const count = this.#counts.get(id) ?? 0
    if (count >= MAX_WAITING) throw new RowBusy('too many requests wait for the row')
    this.#counts.set(id, count + 1)
    try {
      return await work()
    } finally {
      const left = (this.#counts.get(id) ?? 0) - 1
      if (left > 0) this.#counts.set(id, left)
      else this.#counts.delete(id)
    }
  }
}
