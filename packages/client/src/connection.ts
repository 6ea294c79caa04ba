import type { PetstoreError } from './errors.ts'
import type { ResponseInfo } from './response-info.ts'

export interface PetstoreOptions {
  /** The base URL of the service, including its version: `https://pets.example/v1`. */
  baseUrl: string | URL
  /**
   * The API key. It is sent to this URL only. Leave it out only where something else authenticates the requests: a page of the console,
   * which has a session, or a proxy that adds the key.
   */
  key?: string
  /** What sends the requests; by default the `fetch` of the platform. */
  fetch?: typeof fetch | undefined
  /** How long a call may take in milliseconds, with all its attempts. Each page of a list is a call. 30,000 by default. */
  timeoutMs?: number | undefined
  /** How long one attempt may take in milliseconds before it is retried. 12,000 by default: the service takes 10 s at most. */
  attemptTimeoutMs?: number | undefined
  /** How many times a call is retried at most. 4 by default. */
  retries?: number | undefined
  /** Called with every response, including those that are retried. What it throws rejects the call. */
  onResponse?: ((response: ResponseInfo) => void) | undefined
  /** Called before the client waits for the next attempt. What it throws rejects the call. */
  onRetry?: ((retry: Retry) => void) | undefined
}

export interface Retry {
  /** Which attempt failed; the first is 1. */
  attempt: number
  /** How long the client waits before the next one, in milliseconds. */
  waitMs: number
  /** Why the attempt failed. */
  error: PetstoreError
}

export interface Connection extends PetstoreOptions {
  baseUrl: string
  fetch: typeof fetch
  timeoutMs: number
  attemptTimeoutMs: number
  retries: number
}

export function connect(options: PetstoreOptions): Connection {
  // Absent on purpose, unlike an environment variable that is not set.
  if ('key' in options) checkKey(options.key)
  const { origin, pathname } = new URL(options.baseUrl)
  const { timeoutMs = 30_000, attemptTimeoutMs = 12_000, retries = 4 } = options
  return {
    ...options,
    baseUrl: origin + pathname.replace(/\/+$/, ''),
    // Not called as a method of the connection: browsers reject that.
    fetch: options.fetch ?? ((...call) => fetch(...call)),
    timeoutMs,
    attemptTimeoutMs,
    retries,
  }
}

/** Finds the usual mistakes before the first request. No message repeats the key: messages end up in logs. */
function checkKey(key: unknown) {
  if (typeof key !== 'string' || key === '')
    throw new TypeError('`key` is missing. Pass your API key as a string; is its environment variable set?')
  if (/^petk_(?:live|test)_(?:…|\.{3})$/.test(key))
    throw new TypeError('`key` is the example from the documentation. Replace it with your own API key.')
  if (/[^\x21-\x7e]/.test(key))
    throw new TypeError(
      '`key` contains whitespace, a line break or a character outside ASCII. Pass the API key and nothing else.',
    )
  if (!/^petk_(?:live|test)_[0-9A-Za-z]+$/.test(key))
    throw new TypeError(
      '`key` is not an API key: those start with petk_live_ or petk_test_, followed by letters and digits.',
    )
}
