const FIRST_MS = 200
const LONGEST_MS = 5_000

/** How long to wait before the next try: what the service asks for, and full jitter, so that callers don't come as one. */
export function backoff(attempt: number, retryAfter: string | null) {
  return readRetryAfter(retryAfter) + Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt)
}

/** Retry-After in milliseconds: it is given in seconds, or as a date. */
function readRetryAfter(text: string | null) {
  if (text === null) return 0
  const wait = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Math.max(0, wait) || 0
}

/** Rejects with the signal's reason as soon as it aborts. */
export function sleep(ms: number, signal: AbortSignal | undefined) {
  return new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
