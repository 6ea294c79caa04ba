import { setTimeout as sleep } from 'node:timers/promises'
import { PetstoreError } from '../../packages/client/src/index.ts'
import { longestGapMs } from '../load.ts'
import { until } from '../rig/until.ts'
import type { Span } from './record.ts'

const NEXT_WITHIN_MS = 60_000

/** A call that failed, with the code of its error. */
export interface Failed extends Span {
  name: string
  code: string
}

/** The calls of a load: which are in progress, and how they ended. */
export class Calls {
  /** In the order of their ends. */
  readonly acknowledged: Span[] = []
  readonly failed: Failed[] = []
  /** Rejected with one of the codes that a caller expects. */
  rejected = 0
  readonly #underWay = new Set<number>()
  #next = 0

  /** The result of a call and when that was, or the code of an error. Codes that are not expected count as failures. */
  async make<Result>(
    name: string,
    expected: readonly string[],
    call: () => Promise<Result>,
  ): Promise<Span & ({ result: Result; code?: never } | { code: string; result?: never })> {
    const number = this.#next++
    const begun = performance.now()
    this.#underWay.add(number)
    try {
      const result = await call()
      const span = { begun, at: performance.now() }
      this.acknowledged.push(span)
      return { ...span, result }
    } catch (error) {
      const code = error instanceof PetstoreError ? error.code : String(error)
      const span = { begun, at: performance.now() }
      if (expected.includes(code)) this.rejected++
      else this.failed.push({ ...span, name, code })
      return { ...span, code }
    } finally {
      this.#underWay.delete(number)
    }
  }

  /** Waits for the next acknowledgement. */
  async nextAcknowledged() {
    const before = this.acknowledged.length
    await until('a call is acknowledged', NEXT_WITHIN_MS, async () => this.acknowledged.length > before)
  }

  /** Waits for the end of every call that has begun. */
  async settled() {
    const begun = this.#next
    while (this.#underWay.values().some((number) => number < begun)) await sleep(10)
  }

  longestGapMs(from: number, to: number) {
    return longestGapMs(this.acknowledged, from, to)
  }
}
