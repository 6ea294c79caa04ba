import type { KeySource } from './credentials.ts'
import { checkRuntime } from './json.ts'
import type { PetstoreOptions } from './options.ts'

export interface Connection extends Omit<PetstoreOptions, 'key'> {
  baseUrl: string
  keyFor: KeySource
  fetch: typeof fetch
  timeoutMs: number
  attemptTimeoutMs: number
  retries: number
}

export function connect(
  options: Omit<PetstoreOptions, 'baseUrl' | 'key'>,
  baseUrl: string,
  keyFor: KeySource,
): Connection {
  checkRuntime()
  const { timeoutMs = 30_000, attemptTimeoutMs = 12_000, retries = 4, onResponse, onRetry } = options
  return {
    baseUrl,
    keyFor,
    // Not called as a method of the connection: browsers reject that.
    fetch: options.fetch ?? ((...call) => fetch(...call)),
    timeoutMs,
    attemptTimeoutMs,
    retries,
    onResponse,
    onRetry,
  }
}
