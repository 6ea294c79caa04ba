const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** After that many failures in a row, and for each further one the last. */
const DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS]
const SPREAD = 0.2
const MAX_RETRY_AFTER_MS = HOUR_MS

/** A webhook that has failed for so long is disabled. */
export const GIVE_UP_MS = 5 * 24 * HOUR_MS

/** How long to wait after this many failures in a row. `random` is from 0 to 1: receivers that failed together are not retried together. */
export function delayAfter(failures: number, random = Math.random()) {
  const delay = DELAYS_MS[Math.min(failures, DELAYS_MS.length) - 1] ?? 0
  return Math.round(delay * (1 - SPREAD + 2 * SPREAD * random))
}

/** How long a receiver asks to be left alone, by its `Retry-After`: a number of seconds, or a date. At most an hour. */
export function retryAfterOf(header: string | undefined, now: number) {
  if (header === undefined) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * SECOND_MS : Date.parse(header) - now
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : 0
}
