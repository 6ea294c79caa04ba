const SPREAD = 0.2
const MAX_RETRY_AFTER_MS = 3_600_000

/** How long to wait after this many failures in a row. `random` is from 0 to 1: receivers that failed together are not retried together. */
export function delayAfter(failures: number, delaysMs: readonly number[], random = Math.random()) {
  const delay = delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 0
  return Math.round(delay * (1 - SPREAD + 2 * SPREAD * random))
}

/** How long a receiver asks to wait, by its `Retry-After`: a number of seconds, or a date. At most an hour. */
export function retryAfterOf(header: string | undefined, now: number) {
  if (header === undefined) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : 0
}
