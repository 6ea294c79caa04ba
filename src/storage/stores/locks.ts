import { sqlStateOf } from '../postgres/failures.ts'
import type { Queryable } from '../postgres/statement.ts'

const LOCK_TIMEOUT_MS = 300
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'

/** From now on, statements of this session soon give up a lock: all requests that need the same lock would wait as long. */
export async function limitLockWaits(db: Queryable) {
  await db.query({ text: `set lock_timeout = ${LOCK_TIMEOUT_MS}` })
}

/** Whether other transactions have kept a table or row locked. */
export function isLocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const state = sqlStateOf(error)
  return state === LOCK_NOT_AVAILABLE || state === DEADLOCK_DETECTED || isLocked(error.cause)
}
