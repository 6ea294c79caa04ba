const FIRST_MS = 200
const LONGEST_MS = 5_000
/** A longer timer fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/** How long to wait before the next attempt: what the service asks for, plus full jitter, so that clients don't return at once. */
export function backoff(attempt: number, retryAfter = 0) {
  return retryAfter * 1_000 + Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt)
}

/** The header Retry-After in seconds. It holds seconds, or a date. */
export function readRetryAfter(text: string | null) {
  if (text === null) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1_000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Rejects with the signal's reason as soon as it aborts. */
export function sleep(ms: number, signal: AbortSignal | undefined) {
  return new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      },
      Math.min(ms, LONGEST_TIMER_MS),
    )
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
