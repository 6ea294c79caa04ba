import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { callbackify } from 'node:util'
import type { ReceiverRules } from '../lib/receivers.ts'
import { type SendingTimes, TIMES } from '../lib/times.ts'
import { connectTo, type NameResolver, type Shared, UrlNotAllowed } from './connection.ts'
import { noResponse, sentenceFor, UNREACHED } from './failure-sentences.ts'
import { readBody } from './response-body.ts'
import { retryAfterOf } from './retry.ts'

const MAX_CONNECTIONS = 8
const GONE = 410
// Interim responses (1xx) before the final one. Most receivers send none.
const MAX_INTERIM = 10

export interface AttemptOutcome {
  /** The status of the response; undefined if there was none. */
  status: number | undefined
  /** Why it failed; undefined if it did not. */
  error: string | undefined
  isDelivered: boolean
  isGone: boolean
  retryAfterMs: number
  durationMs: number
  /** How the response begins, of a failure after the URL has accepted a first request. */
  responseBody: string | undefined
}

/** Sends requests to one receiver, over connections that are kept alive. */
export class Sender implements Disposable {
  readonly #url: URL
  readonly #agent: Agent
  readonly #times: SendingTimes
  readonly #closing = new AbortController()
  readonly #underWay = new Set<ClientRequest>()
  #hasSucceeded: boolean

  /** `hasSucceeded`: whether this URL has accepted a request before. */
  constructor(url: string, rules: ReceiverRules, resolver: NameResolver, times = TIMES.sending, hasSucceeded = false) {
    this.#url = new URL(url)
    this.#times = times
    this.#hasSucceeded = hasSucceeded
    const { idleMs, addressMs } = times
    // Its own agent, so that no proxy of the environment is used, and a slow receiver takes no connections from others.
    this.#agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, timeout: idleMs })
    const shared: Shared = {}
    const { signal } = this.#closing
    const connect = callbackify(() => connectTo(this.#url, rules, resolver, shared, signal, addressMs))
    this.#agent.createConnection = (_options, callback) => {
      connect((error, socket) => callback?.(error, socket))
      return undefined
    }
  }

  get hasSucceeded() {
    return this.#hasSucceeded
  }

  /** Also ends the requests under way. */
  [Symbol.dispose]() {
    this.#closing.abort()
    for (const request of this.#underWay) request.destroy()
    this.#agent.destroy()
  }

  /** Sends one request. Never rejects: every failure is an outcome. */
  async post(headers: Record<string, string>, body: string): Promise<AttemptOutcome> {
    const begun = performance.now()
    const deadline = begun + this.#times.responseMs
    let result = await this.#attempt(headers, body, deadline)
    // The receiver closed an idle connection while it was being reused. That is not a failure.
    while (result.wasStale && !this.#closing.signal.aborted) result = await this.#attempt(headers, body, deadline)
    const outcome = outcomeOf(result, Math.round(performance.now() - begun))
    this.#hasSucceeded ||= outcome.isDelivered
    const isDisclosed = this.#hasSucceeded || outcome.status !== undefined || result.isNotAllowed
    if (!isDisclosed) return { ...outcome, error: UNREACHED, durationMs: 0 }
    const keepsBody = this.#hasSucceeded && !outcome.isDelivered
    return keepsBody ? { ...outcome, responseBody: await result.body } : outcome
  }

  #attempt(headers: Record<string, string>, body: string, deadline: number): Promise<Exchange> {
    const { promise, resolve } = Promise.withResolvers<Exchange>()
    const { host, hostname, pathname, search } = this.#url
    const request = httpRequest({
      agent: this.#agent,
      hostname,
      port: this.#url.port,
      method: 'POST',
      path: pathname + search,
      headers: { host, ...headers, 'content-length': Buffer.byteLength(body) },
    })
    this.#underWay.add(request)
    const end = (result: Exchange) => {
      clearTimeout(timer)
      resolve(result)
    }
    const timer = setTimeout(() => {
      end({ error: noResponse(this.#times.responseMs) })
      request.destroy()
    }, deadline - performance.now())
    let failure: unknown
    let interim = 0
    request.on('information', () => {
      if (++interim <= MAX_INTERIM) return
      end({ error: `The receiver sent more than ${MAX_INTERIM} responses with 1xx.` })
      request.destroy()
    })
    request.once('response', (response) => {
      end({ response, body: readBody(response, this.#times.bodyMs) })
    })
    request.on('error', (error) => {
      failure ??= error
    })
    request.once('close', () => {
      this.#underWay.delete(request)
      end({
        error: sentenceFor(failure),
        wasStale: request.reusedSocket && isReset(failure),
        isNotAllowed: failure instanceof UrlNotAllowed,
      })
    })
    request.end(body)
    return promise
  }
}

interface Exchange {
  response?: IncomingMessage
  /** How the response begins, once its end has come or is not waited for. */
  body?: Promise<string | undefined>
  error?: string
  wasStale?: boolean
  isNotAllowed?: boolean
}

function isReset(error: unknown) {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

const NO_RESPONSE = {
  status: undefined,
  isDelivered: false,
  isGone: false,
  retryAfterMs: 0,
  responseBody: undefined,
}

function outcomeOf({ response, error }: Exchange, durationMs: number): AttemptOutcome {
  const status = response?.statusCode
  if (!response || status === undefined) return { ...NO_RESPONSE, error, durationMs }
  const isDelivered = status >= 200 && status < 300
  const isRedirect = status >= 300 && status < 400
  const reason = isRedirect ? 'Redirects are not followed.' : `The status was ${status}.`
  return {
    status,
    error: isDelivered ? undefined : reason,
    isDelivered,
    isGone: status === GONE,
    retryAfterMs: retryAfterOf(response.headers['retry-after'], Date.now()),
    durationMs,
    responseBody: undefined,
  }
}
