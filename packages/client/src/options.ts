import type { PetstoreError } from './errors.ts'
import type { ResponseInfo } from './response-info.ts'

export interface PetstoreOptions {
  /** The base URL of the service, including its version: `https://pets.example/v1`. */
  baseUrl: string | URL
  /**
   * The API key, or a function that returns it: from a file or a secret store, so that a rotation needs no restart. It is asked before the
   * first request, and once more in a call that got a 401, which is then sent again if the key is another one. What it throws rejects
   * the call; neither `timeoutMs` nor a signal ends it.
   *
   * The key is sent to this URL only. Leave it out only where something else authenticates the requests: a page of the console,
   * which has a session, or a proxy that adds the key.
   */
  key?: string | (() => string | Promise<string>)
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

export interface CallOptions {
  /** Aborts the call: it rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

export interface CreateOptions extends CallOptions {
  /**
   * By this the service recognizes calls that create the same thing. Each call generates one and keeps it when it is retried.
   * Pass your own, 1 to 255 printable ASCII characters, if a later call, perhaps of another process, may repeat this one.
   * The service remembers it for 24 hours, and rejects a different body with it: `idempotency_key_reused`.
   */
  idempotencyKey?: string | undefined
}
