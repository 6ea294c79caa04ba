import { backoff, LONGEST_TIMER_MS, sleep } from './backoff.ts'
import type { Connection } from './connection.ts'
import { PetstoreError } from './errors.ts'
import type { CallOptions, CreateOptions } from './options.ts'
import { readResponseInfo } from './response-info.ts'
import { errorIn, type HttpResponse } from './responses.ts'

export interface Call extends CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** Retried only if the service has done nothing: a second one could overwrite a change that was made in between. */
  once?: true
  /** The call is retried until it succeeds, however long that takes; otherwise only as often and as long as the options say. */
  forever?: boolean | undefined
  headers?: Record<string, string>
  body?: string
}

/** The version in package.json; `.ci/version` sets both, and a test compares them. */
const USER_AGENT = 'petstore-client/1.1.0-dev'

// GETs change nothing, a create carries its Idempotency-Key, and an order ends only once. Proxies send 502 and 504. A 500 is a bug
// of the service, which the next attempt would meet again.
const RETRIED = [408, 429, 502, 503, 504]
// The service has not begun with the request.
const NOT_STARTED = ['request_timeout', 'rate_limited', 'overloaded']

/** Creates something by POST: once, however often the request is retried. */
export function create(
  connection: Connection,
  path: string,
  body: string,
  { idempotencyKey = crypto.randomUUID(), signal }: CreateOptions = {},
) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }
  return send(connection, { method: 'POST', path, headers, body, signal })
}

/** Sends a call, and retries it where that can help, until it succeeds or the deadline is too close. */
export async function send(connection: Connection, call: Call): Promise<HttpResponse> {
  const { method, path, forever } = call
  const { timeoutMs, keyFor, onResponse, onRetry } = connection
  const retries = forever ? Number.POSITIVE_INFINITY : connection.retries
  const endsAt = forever ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs
  // Built here, so that a value that no header can hold is reported as such, and not taken for a lost connection.
  const headers = new Headers(call.headers)
  if (!isBrowser()) headers.set('user-agent', USER_AGENT)
  const attemptWith = async (key: string | undefined) => {
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
    const outcome = await exchange(connection, call, headers, endsAt)
    if (outcome instanceof PetstoreError) return outcome
    onResponse?.(readResponseInfo(method, path, outcome.status, outcome.headers))
    return outcome.status >= 200 && outcome.status < 300 ? outcome : errorIn(outcome)
  }

  let key = await keyFor()
  let isRenewed = false
  for (let attempt = 1; ; attempt++) {
    let outcome = await attemptWith(key)
    // The key may have been rotated. A request with a rejected key has done nothing.
    if (!isRenewed && outcome instanceof PetstoreError && outcome.status === 401) {
      isRenewed = true
      const other = await keyFor(key)
      if (other !== key) {
        key = other
        outcome = await attemptWith(key)
      }
    }
    if (!(outcome instanceof PetstoreError)) return outcome
    const waitMs = backoff(attempt - 1, outcome.retryAfter)
    // An attempt that cannot end before the deadline is pointless.
    if (!isRetried(outcome, call) || attempt > retries || performance.now() + waitMs >= endsAt) throw outcome
    onRetry?.({ attempt, waitMs, error: outcome })
    await sleep(waitMs, call.signal)
  }
}

function isRetried({ status, code, retryAfter }: PetstoreError, { once }: Call) {
  if (once) return NOT_STARTED.includes(code)
  // Only the operator can change that.
  if (code === 'webhooks_not_configured') return false
  // A 409 passes by itself only where the service says when: the first attempt with this Idempotency-Key is still running.
  return status === undefined || RETRIED.includes(status) || (status === 409 && retryAfter !== undefined)
}

/** One attempt. A response counts once its last byte is here: the connection may be cut in the middle of it. */
async function exchange(
  { fetch, baseUrl, timeoutMs, attemptTimeoutMs }: Connection,
  { method, path, body, signal }: Call,
  headers: Headers,
  endsAt: number,
): Promise<HttpResponse | PetstoreError> {
  signal?.throwIfAborted()
  // Not `AbortSignal.any`: in Node 22 each one stays in memory for as long as the caller's signal, which may be for months.
  const ending = new AbortController()
  const end = () => ending.abort()
  const leftMs = endsAt - performance.now()
  const timer = setTimeout(end, Math.min(leftMs, attemptTimeoutMs, LONGEST_TIMER_MS))
  signal?.addEventListener('abort', end)
  try {
    // The service never redirects, and the key must not be sent where another server points to.
    const response = await fetch(baseUrl + path, {
      method,
      headers,
      body: body ?? null,
      signal: ending.signal,
      redirect: 'manual',
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    if (!ending.signal.aborted)
      return new PetstoreError('connection_failed', 'The service could not be reached.', { cause })
    const late = leftMs < attemptTimeoutMs ? timeoutMs : attemptTimeoutMs
    return new PetstoreError('deadline_exceeded', `No response within ${late} ms.`, { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

/** Browsers send a User-Agent of their own, and would ask the service for permission to send another. */
function isBrowser() {
  return globalThis.navigator?.userAgent.startsWith('Mozilla/') ?? false
}
