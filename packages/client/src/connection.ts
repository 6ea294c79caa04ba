import { type KeySource, keySource } from './credentials.ts'
import type { PetstoreError } from './errors.ts'
import { checkRuntime } from './json.ts'
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

export interface Connection extends Omit<PetstoreOptions, 'key'> {
  baseUrl: string
  keyFor: KeySource
  fetch: typeof fetch
  timeoutMs: number
  attemptTimeoutMs: number
  retries: number
}

export function connect(options: PetstoreOptions): Connection {
  checkRuntime()
  const { timeoutMs = 30_000, attemptTimeoutMs = 12_000, retries = 4, onResponse, onRetry } = options
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    keyFor: keySource(options),
    // Not called as a method of the connection: browsers reject that.
    fetch: options.fetch ?? ((...call) => fetch(...call)),
    timeoutMs,
    attemptTimeoutMs,
    retries,
    onResponse,
    onRetry,
  }
}

/** Without user, query and fragment. No message repeats them: they may be secrets, and messages end up in logs. */
function readBaseUrl(baseUrl: string | URL) {
  if (!baseUrl) throw new TypeError(`\`baseUrl\` is missing. Pass ${EXAMPLE}; is its environment variable set?`)
  const text = String(baseUrl)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    // What has only forgotten its scheme: a host, a port, a path.
    const [host] = /^[\w.-]+(?::\d+)?(?:\/[\w./-]*)?$/.exec(text) ?? []
    const scheme = /^(?:localhost|127\.)/.test(text) ? 'http' : 'https'
    const fix = host ? `Did you mean ${scheme}://${host}?` : `Pass ${EXAMPLE}.`
    throw new TypeError(`\`baseUrl\` must be a URL that starts with http:// or https://. ${fix}`)
  }
  const path = url.pathname.replace(/\/+$/, '')
  if (path === '')
    throw new TypeError(`\`baseUrl\` must include the version of the API. Did you mean ${url.origin}/v1?`)
  return url.origin + path
}

const EXAMPLE = 'the URL of the service with its version, like https://pets.example/v1'
