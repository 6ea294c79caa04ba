import { createPetstore, PetstoreError, type RateLimit, type ResponseInfo } from '@petstore/client'
import { signal } from '@preact/signals'
import { checkSession, isLeaving, isSandbox, sessionAgain, state } from './session.ts'
import { texts } from './texts.ts'

const BASE_URL = `${location.origin}/v1`

/** The rate limit of the key, as the last response reported it; undefined if it has none. */
export const rateLimit = signal<RateLimit | undefined>(undefined)

/** When the service accepts requests of this key again, by the last response that rejected one. */
export const limitedUntil = signal(0)

/**
 * The browser adds the session. A request that finds it ended was not handled, so it is sent again when the person has signed in. That may
 * take long, and the deadline of the client in `init.signal` has passed by then. While the session is known to have ended, nothing is sent
 * before that.
 */
const withSession: typeof fetch = async (input, init) => {
  const response = state.value === 'ended' ? undefined : await send(input, init)
  if (response && response.status !== 401) return response
  await sessionAgain()
  return send(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
}

/** The client retries failed requests, so it must not learn of requests that are not sent. */
const send: typeof fetch = async (input, init) => {
  const response = await (isLeaving ? new Promise<never>(() => {}) : fetch(input, init))
  // The cookie is of all tabs: one may have signed in to the other store, which this page has not noticed yet.
  if (response.ok && isOfOtherStore(response)) {
    await checkSession()
    if (isLeaving || isOfOtherStore(response)) throw new TypeError('This response is of another store.')
  }
  if (response.status === 429) limitedUntil.value = Date.now() + Number(response.headers.get('retry-after')) * 1_000
  return response
}

const isOfOtherStore = ({ headers }: Response) => (headers.get('petstore-mode') === 'test') !== isSandbox.value

const TIMEOUT_MS = 12_000

const onResponse = (response: ResponseInfo) => {
  rateLimit.value = response.rateLimit
}

export const {
  pets,
  categories,
  orders,
  events,
  webhooks,
  keys,
  status: serviceStatus,
  deprecations,
} = createPetstore({
  baseUrl: BASE_URL,
  fetch: withSession,
  timeoutMs: TIMEOUT_MS,
  retries: 2,
  onResponse,
})

/** A separate client for the feed: it retries nothing, and does not wait for a sign-in. */
export const createFeed = (onSuccess: () => void) =>
  createPetstore({
    baseUrl: BASE_URL,
    fetch: send,
    onRetry: ({ error }) => {
      throw error
    },
    onResponse: ({ status }) => {
      if (status === 200) onSuccess()
    },
  }).events

/** What went wrong, in a sentence; with the Request-Id if the service rejected a change. */
export function explain(error: unknown, { withRequestId = false } = {}) {
  if (!(error instanceof PetstoreError)) return texts.common.failed
  if (error.code === 'connection_failed' || error.code === 'deadline_exceeded') return texts.common.offline
  if (error.status === 429) return texts.common.tooMany(error.retryAfter ?? 1)
  if (!withRequestId || error.requestId === undefined) return error.message
  return texts.common.withRequestId(error.message, error.requestId)
}

/** When to retry a failed read, in milliseconds; undefined if its failure does not pass by itself. */
export function passesAfterMs(error: unknown) {
  if (!(error instanceof PetstoreError)) return undefined
  const { status, retryAfter = 5 } = error
  return status === undefined || [429, 502, 503, 504].includes(status) ? retryAfter * 1_000 : undefined
}

/** Whether a change may have been made, although no response of the service confirmed it. */
export const isUncertain = (error: unknown) =>
  error instanceof PetstoreError && (error.status === undefined || error.code === 'unexpected_answer')

export const hasCode = (error: unknown, code: string) => error instanceof PetstoreError && error.code === code
