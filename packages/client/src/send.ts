import { backoff, sleep } from './backoff.ts'
import { type ErrorCode, PetstoreError } from './errors.ts'
import { isObject, parseExact } from './json.ts'

export interface PetstoreOptions {
  /** The address of the service, with its version: `https://pets.example/v1`. */
  baseUrl: string | URL
  /** The API key. It is sent to this address and nowhere else. */
  key: string
  /** What sends the requests; by default the `fetch` of the platform. */
  fetch?: typeof fetch | undefined
  /** How long a call may take, all its tries together. Of a walk, each page is a call. 30,000 by default. */
  timeoutMs?: number | undefined
  /** How often a call is tried again at most. 4 by default. */
  retries?: number | undefined
}

export interface Connection {
  baseUrl: string
  key: string
  fetch: typeof fetch
  timeoutMs: number
  retries: number
}

export interface Call {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal | undefined
}

export interface Answer {
  status: number
  headers: Headers
  text: string
}

// 409 says that a first try with the same Idempotency-Key is still being worked on. A 500 is a fault that stays.
const RETRIED = [408, 409, 429, 503]

export function connect({ baseUrl, key, timeoutMs = 30_000, retries = 4, ...options }: PetstoreOptions): Connection {
  const { origin, pathname } = new URL(baseUrl)
  return {
    baseUrl: origin + pathname.replace(/\/+$/, ''),
    key,
    // Not called as a method of ours: browsers refuse that.
    fetch: options.fetch ?? ((...call) => fetch(...call)),
    timeoutMs,
    retries,
  }
}

/** Sends a call, again where that may help, until it is answered with a success or the deadline is near. */
export async function send(connection: Connection, call: Call): Promise<Answer> {
  const { timeoutMs, retries } = connection
  const endsAt = performance.now() + timeoutMs
  const deadline = AbortSignal.timeout(timeoutMs)
  const signal = call.signal ? AbortSignal.any([call.signal, deadline]) : deadline
  // Made here, so that a key which is no header value is reported as such, and not taken for a lost connection.
  const headers = new Headers({ ...call.headers, authorization: `Bearer ${connection.key}` })

  for (let attempt = 0; ; attempt++) {
    let failure: PetstoreError
    let retryAfter: string | null = null
    try {
      const answer = await exchange(connection, call, headers, signal)
      if (answer.status >= 200 && answer.status < 300) return answer
      failure = refusalIn(answer)
      if (!RETRIED.includes(answer.status)) throw failure
      retryAfter = answer.headers.get('retry-after')
    } catch (error) {
      if (error instanceof PetstoreError) throw error
      call.signal?.throwIfAborted()
      if (deadline.aborted)
        throw new PetstoreError('deadline_exceeded', `No answer within ${timeoutMs} ms.`, { cause: error })
      failure = new PetstoreError('connection_failed', 'The service could not be reached.', { cause: error })
    }
    const wait = backoff(attempt, retryAfter)
    // Waiting in vain helps nobody.
    if (attempt >= retries || performance.now() + wait >= endsAt) throw failure
    await sleep(wait, call.signal)
  }
}

/** One try. An answer counts once its last byte is here: a connection may be cut in the middle of it. */
async function exchange(
  { fetch, baseUrl }: Connection,
  { method, path, body }: Call,
  headers: Headers,
  signal: AbortSignal,
): Promise<Answer> {
  // The service never redirects, and the key must not go where somebody else points to.
  const response = await fetch(baseUrl + path, { method, headers, body: body ?? null, signal, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export function bodyOf(answer: Answer) {
  try {
    return parseExact(answer.text)
  } catch (error) {
    throw unexpected(answer, 'The answer cannot be read.', error)
  }
}

/** The error of the service that an answer holds. */
function refusalIn(answer: Answer) {
  try {
    const body = parseExact(answer.text)
    if (isObject(body) && typeof body['code'] === 'string' && typeof body['message'] === 'string')
      return new PetstoreError(body['code'] as ErrorCode, body['message'], aboutOf(answer))
  } catch {
    // Not JSON, so not the service.
  }
  return unexpected(answer, `Status ${answer.status} without an error of the service.`)
}

export function unexpected(answer: Answer, message: string, cause?: unknown) {
  return new PetstoreError('unexpected_answer', message, { ...aboutOf(answer), cause })
}

function aboutOf({ status, headers }: Answer) {
  return { status, requestId: headers.get('request-id') ?? undefined }
}
