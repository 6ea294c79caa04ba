import { backoff, readRetryAfter, sleep } from './backoff.ts'
import type { Connection } from './connection.ts'
import { PetstoreError } from './errors.ts'
import { isObject, parse } from './json.ts'
import { readResponseInfo } from './response-info.ts'

export interface Call {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal | undefined
}

export interface HttpResponse {
  status: number
  headers: Headers
  text: string
}

/** The version in package.json; a test compares them. */
const USER_AGENT = 'petstore-client/1.0.0'

// Safe for every call: GETs change nothing, and a create carries its Idempotency-Key. Proxies send 502 and 504. A 500 is a
// bug of the service, which the next attempt would meet again.
const RETRIED = [408, 429, 502, 503, 504]

/** Sends a call, and retries it where that can help, until it succeeds or the deadline is too close. */
export async function send(connection: Connection, call: Call): Promise<HttpResponse> {
  const { method, path } = call
  const { timeoutMs, retries, onResponse, onRetry } = connection
  const endsAt = performance.now() + timeoutMs
  const deadline = AbortSignal.timeout(timeoutMs)
  // Made here, so that a value that no header can hold is reported as such, and not taken for a lost connection.
  const headers = new Headers({ ...call.headers, authorization: `Bearer ${connection.key}` })
  if (!isBrowser()) headers.set('user-agent', USER_AGENT)

  for (let attempt = 1; ; attempt++) {
    let failure: PetstoreError
    const outcome = await exchange(connection, call, headers, deadline)
    if (outcome instanceof PetstoreError) failure = outcome
    else {
      onResponse?.(readResponseInfo(method, path, outcome.status, outcome.headers))
      if (outcome.status >= 200 && outcome.status < 300) return outcome
      failure = errorIn(outcome)
    }
    const waitMs = backoff(attempt - 1, failure.retryAfter)
    // An attempt that cannot end before the deadline is pointless.
    if (!isRetried(failure) || attempt > retries || performance.now() + waitMs >= endsAt) throw failure
    onRetry?.({ attempt, waitMs, error: failure })
    await sleep(waitMs, call.signal)
  }
}

function isRetried({ status, code }: PetstoreError) {
  // The only 409 that passes by itself: the first attempt with this Idempotency-Key is still running.
  return status === undefined || RETRIED.includes(status) || code === 'idempotency_in_progress'
}

/** One attempt. A response counts once its last byte is here: the connection may be cut in the middle of it. */
async function exchange(
  { fetch, baseUrl, timeoutMs, attemptTimeoutMs }: Connection,
  { method, path, body, signal }: Call,
  headers: Headers,
  deadline: AbortSignal,
): Promise<HttpResponse | PetstoreError> {
  const timeout = AbortSignal.timeout(attemptTimeoutMs)
  const any = AbortSignal.any(signal ? [signal, deadline, timeout] : [deadline, timeout])
  try {
    // The service never redirects, and the key must not be sent where another server points to.
    const response = await fetch(baseUrl + path, {
      method,
      headers,
      body: body ?? null,
      signal: any,
      redirect: 'manual',
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    const late = deadline.aborted ? timeoutMs : timeout.aborted ? attemptTimeoutMs : undefined
    return late === undefined
      ? new PetstoreError('connection_failed', 'The service could not be reached.', { cause })
      : new PetstoreError('deadline_exceeded', `No response within ${late} ms.`, { cause })
  }
}

/** Browsers send a User-Agent of their own, and would ask the service for permission to send another. */
function isBrowser() {
  return globalThis.navigator?.userAgent.startsWith('Mozilla/') ?? false
}

export function bodyOf(response: HttpResponse) {
  try {
    return parse(response.text)
  } catch (error) {
    throw unexpected(response, 'The response cannot be read.', error)
  }
}

/** The error of the service in a response. */
function errorIn(response: HttpResponse) {
  try {
    const body = parse(response.text)
    if (isObject(body) && typeof body['code'] === 'string' && typeof body['message'] === 'string')
      return new PetstoreError(body['code'], body['message'], aboutOf(response))
  } catch {
    // Not JSON, so not the service.
  }
  return unexpected(response, `Status ${response.status} without an error of the service.`)
}

export function unexpected(response: HttpResponse, message: string, cause?: unknown) {
  return new PetstoreError('unexpected_answer', message, { ...aboutOf(response), cause })
}

function aboutOf({ status, headers }: HttpResponse) {
  const requestId = headers.get('request-id') ?? undefined
  return { status, requestId, retryAfter: readRetryAfter(headers.get('retry-after')) }
}
