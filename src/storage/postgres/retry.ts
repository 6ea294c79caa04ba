import { setTimeout as sleep } from 'node:timers/promises'
import { sqlStateOf } from './failures.ts'

/**
 * What a failure says about the work that failed. `never executed`, `wrong role` and `rolled back`: nothing was done, and
 * another attempt may succeed. `ambiguous`: it may have been done or not. `permanent`: another attempt would fail as well.
 */
export type FailureClass = 'never executed' | 'wrong role' | 'rolled back' | 'ambiguous' | 'permanent'

const MAX_ATTEMPTS = 3
const SHORTEST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 800

const SERVER_IS_FULL = '53300'
const NEVER_EXECUTED = /^(?:57P03|53300|08001|08004)$/
const WRONG_ROLE = '25006'
// 57014 is a statement that took too long. In the wait for a standby it would be a warning, and no error: see CommitInDoubt.
const ROLLED_BACK = /^(?:40001|40P01|55P03|57014)$/
// The server shuts down, or the connection broke.
const AMBIGUOUS = /^(?:08|57)/

/**
 * PostgreSQL stopped waiting for its standby, because the wait was cancelled: the row is committed here, but a failover may lose it.
 * PostgreSQL reports that only as a warning, beside success.
 */
export class CommitInDoubt extends Error {
  override name = 'CommitInDoubt'
}

/** An attempt that failed. Its connection is closed, whether or not it still works. */
export class FailedAttempt extends Error {
  override name = 'FailedAttempt'
  failureClass: FailureClass
  /** What the failure says about the primary: gone (refused, reset, ended, no longer the primary), or silent. */
  readonly loss: 'gone' | 'silence' | undefined

  /** `isShortTimeout`: the deadline left the server less time than it may take, so its silence proves nothing. */
  constructor(cause: unknown, wasSent: boolean, isShortTimeout = false) {
    super('an attempt failed', { cause })
    this.failureClass = classOf(cause, wasSent)
    this.loss = lossOf(this.failureClass, cause, isShortTimeout)
  }

  /** For a transaction whose commit was not sent: it may be repeated, even if the connection was lost. */
  asRolledBack() {
    if (this.failureClass === 'ambiguous') this.failureClass = 'rolled back'
    return this
  }
}

function lossOf(failureClass: FailureClass, cause: unknown, isShortTimeout: boolean) {
  if (cause instanceof Error && cause.message === 'Query read timeout') return isShortTimeout ? undefined : 'silence'
  const isGone =
    failureClass === 'wrong role' ||
    (failureClass === 'ambiguous' && !(cause instanceof CommitInDoubt)) ||
    (failureClass === 'never executed' && sqlStateOf(cause) !== SERVER_IS_FULL)
  return isGone ? 'gone' : undefined
}

/** Classifies a failure. A statement that was not sent was never executed. */
export function classOf(error: unknown, wasSent: boolean): FailureClass {
  if (error instanceof TypeError) return 'permanent' // a fault of ours; all other errors without a code come from a connection
  const code = sqlStateOf(error)
  if (code === '') return wasSent && !isRejectedByDriver(error) ? 'ambiguous' : 'never executed'
  if (NEVER_EXECUTED.test(code)) return 'never executed'
  if (code === WRONG_ROLE) return 'wrong role'
  if (ROLLED_BACK.test(code)) return 'rolled back'
  if (AMBIGUOUS.test(code)) return wasSent ? 'ambiguous' : 'never executed'
  return 'permanent'
}

/** The driver knew that the connection was dead, and sent nothing. */
function isRejectedByDriver(error: unknown) {
  return error instanceof Error && error.message.endsWith('is not queryable')
}

/** Decides which failed attempts at the database are followed by another. */
export class Retries {
  // Retries may add a tenth to the work, or they would overload a database that struggles. The reserve covers one loss of the primary,
  // which can fail every connection of the process at once.
  static readonly #SHARE = 0.1
  static readonly #RESERVE = 20
  #budget = Retries.#RESERVE
  /** Retries by the failure class of the attempt before. */
  readonly counts = { 'never executed': 0, 'wrong role': 0, 'rolled back': 0, ambiguous: 0 }

  /** Adds to the budget. To be called once for each piece of work. */
  earn() {
    this.#budget = Math.min(this.#budget + Retries.#SHARE, Retries.#RESERVE)
  }

  /** Whether to try the work again. If so, it is counted and taken from the budget. */
  take(failureClass: FailureClass, attempt: number, mayRepeat: boolean) {
    if (failureClass === 'permanent' || (failureClass === 'ambiguous' && !mayRepeat)) return false
    if (attempt >= MAX_ATTEMPTS || this.#budget < 1) return false
    this.#budget--
    this.counts[failureClass]++
    return true
  }
}

/** Waits for a random time, so that callers that failed together don't return together. */
export async function pauseBefore(attempt: number, deadline: number) {
  const most = Math.min(LONGEST_PAUSE_MS, 2 ** attempt * 4 * SHORTEST_PAUSE_MS)
  const pause = SHORTEST_PAUSE_MS + Math.random() * (most - SHORTEST_PAUSE_MS)
  await sleep(Math.max(0, Math.min(pause, deadline - performance.now())))
}
