import { setTimeout as sleep } from 'node:timers/promises'
import { createPetstore, PetstoreError } from '../packages/client/src/index.ts'
import type { Promised } from './check.ts'
import { until } from './rig/until.ts'

/** When a call began and ended, on the clock of performance.now(). */
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
  /** How many calls are under way at most. */
  callers?: number
  /** How long a caller tries before it gives a pet up. */
  deadlineMs?: number
  /** How often a caller tries again before that; as often as it can, unless it is said. */
  retries?: number
  /** Whether a call that is repeated can be known again. */
  keyed?: boolean
}

/** Callers who add pets one after the other, and remember what they were promised. */
export interface Load {
  acknowledged: Acknowledged[]
  /** Pets that were given up, with the reason; whether they are stored nobody knows. */
  failed: ({ name: string; code: string } & Span)[]
  /** Answers with 503 that did not say when to try again. */
  withoutRetryAfter: () => number
  /** Waits for a promise that is given after this call. */
  nextAcknowledged: () => Promise<void>
  /** Waits for the end of every call that has begun. */
  settled: () => Promise<void>
  /** How many calls were under way at some time between two moments; of those that have ended. */
  inFlight: (from: number, to: number) => number
  /** The longest time without any promise, between two moments. */
  longestGapMs: (from: number, to: number) => number
  /** Lets every call come to its end. */
  stop: () => Promise<void>
}

const DEADLINE_MS = 30_000
const NEXT_WITHIN_MS = 60_000

export function startLoad({ label, perSecond = 500, callers = 32, ...options }: LoadOptions): Load {
  const { baseUrl, key, deadlineMs = DEADLINE_MS, retries = Number.POSITIVE_INFINITY, keyed = true } = options
  let withoutRetryAfter = 0
  const fetchAndLook: typeof fetch = async (...request) => {
    const answer = await (keyed ? fetch : fetchWithoutKey)(...request)
    if (answer.status === 503 && !answer.headers.has('retry-after')) withoutRetryAfter++
    return answer
  }
  const { pets } = createPetstore({ baseUrl, key, timeoutMs: deadlineMs, retries, fetch: fetchAndLook })
  const acknowledged: Acknowledged[] = []
  const failed: Load['failed'] = []
  const stopping = new AbortController()
  const underWay = new Set<number>()
  let [next, slot] = [0, performance.now()]

  /** A steady pace: what an outage held up is not caught up with. */
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
        // The name that was asked for: an answer that belongs to another call must not pass for a promise that was kept.
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

/** A client without keys, as most are: it shows what the keys are for. */
const fetchWithoutKey: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers)
  headers.delete('idempotency-key')
  return await fetch(input, { ...init, headers })
}
