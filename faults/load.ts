import { setTimeout as sleep } from 'node:timers/promises'
import { createPetstore, PetstoreError } from '../packages/client/src/index.ts'
import type { Promised } from './check.ts'
import { until } from './rig/until.ts'

/** When a request began and ended, on the clock of performance.now(). */
interface Span {
  begun: number
  at: number
}

export type Acknowledged = Promised & Span

export interface LoadOptions {
  baseUrl: string
  key: string
  /** What every name begins with; a number follows that no other pet of this load has. */
  label: string
  perSecond?: number
  /** How many requests are in progress at most. */
  callers?: number
  /** How long a client retries before it gives up. */
  deadlineMs?: number
  /** How many times a client retries before that; unlimited by default. */
  retries?: number
  /** Whether requests carry an Idempotency-Key. */
  keyed?: boolean
}

/** Clients that add pets one after the other, and remember what was acknowledged. */
export interface Load {
  acknowledged: Acknowledged[]
  /** Pets that were given up, with the reason; they may or may not be stored. */
  failed: ({ name: string; code: string } & Span)[]
  /** Responses with 503 and no Retry-After. */
  withoutRetryAfter: () => number
  /** Waits for the next acknowledgement. */
  nextAcknowledged: () => Promise<void>
  /** Waits for the end of every request that has begun. */
  settled: () => Promise<void>
  /** How many requests were in progress at some time between two moments; of those that have ended. */
  inFlight: (from: number, to: number) => number
  /** The longest time without an acknowledgement, between two moments. */
  longestGapMs: (from: number, to: number) => number
  /** Waits for all requests in progress, and sends no more. */
  stop: () => Promise<void>
}

const DEADLINE_MS = 30_000
const NEXT_WITHIN_MS = 60_000

export function startLoad({ label, perSecond = 500, callers = 32, ...options }: LoadOptions): Load {
  const { baseUrl, key, deadlineMs = DEADLINE_MS, retries = Number.POSITIVE_INFINITY, keyed = true } = options
  let withoutRetryAfter = 0
  const fetchAndLook: typeof fetch = async (...request) => {
    const response = await (keyed ? fetch : fetchWithoutKey)(...request)
    if (response.status === 503 && !response.headers.has('retry-after')) withoutRetryAfter++
    return response
  }
  const { pets } = createPetstore({ baseUrl, key, timeoutMs: deadlineMs, retries, fetch: fetchAndLook })
  const acknowledged: Acknowledged[] = []
  const failed: Load['failed'] = []
  const stopping = new AbortController()
  const underWay = new Set<number>()
  let [next, slot] = [0, performance.now()]

  /** A steady pace: what an outage delayed is not caught up with. */
  const pace = async () => {
    const now = performance.now()
    slot = Math.max(now, slot + 1_000 / perSecond)
    await sleep(slot - now)
  }

  const call = async () => {
    while (!stopping.signal.aborted) {
      await pace()
      const number = next++
      const name = `${label} ${number}`
      const begun = performance.now()
      underWay.add(number)
      try {
        const { id } = await pets.create({ name, categoryId: 1n, status: 'available' })
        // The name that was sent: a response that belongs to another request must not count as one to this.
        acknowledged.push({ id, name, begun, at: performance.now() })
      } catch (error) {
        const code = error instanceof PetstoreError ? error.code : String(error)
        failed.push({ name, code, begun, at: performance.now() })
      }
      underWay.delete(number)
    }
  }
  const calls = Promise.all(Array.from({ length: callers }, call))

  return {
    acknowledged,
    failed,
    withoutRetryAfter: () => withoutRetryAfter,
    nextAcknowledged: async () => {
      const before = acknowledged.length
      await until('a pet is acknowledged', NEXT_WITHIN_MS, async () => acknowledged.length > before)
    },
    settled: async () => {
      const begun = next
      while (underWay.values().some((number) => number < begun)) await sleep(10)
    },
    inFlight: (from, to) => [...acknowledged, ...failed].filter(({ begun, at }) => begun <= to && at >= from).length,
    longestGapMs: (from, to) => longestGapMs(acknowledged, from, to),
    stop: async () => {
      stopping.abort()
      await calls
    },
  }
}

export function longestGapMs(acknowledged: Pick<Acknowledged, 'at'>[], from: number, to: number) {
  let [longest, last] = [0, from]
  for (const { at } of acknowledged) {
    if (at < from) continue
    longest = Math.max(longest, Math.min(at, to) - last)
    last = at
    if (at > to) break
  }
  return Math.max(longest, to - last)
}

/** A client without idempotency keys, as most are: it shows what the keys are for. */
export const fetchWithoutKey: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers)
  headers.delete('idempotency-key')
  return await fetch(input, { ...init, headers })
}
