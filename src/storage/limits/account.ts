import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { RateLimit } from '../../lib/rate-limit.ts'

/** What one use came to. */
export interface Spent {
  limit: RateLimit
  /** This use was beyond the limit. */
  isOver: boolean
  /** How many more there may be in this window. */
  remaining: number
  /** Until the window ends. */
  msLeft: number
}

interface Batch {
  size: number
  /** How much was used in this window, with all of this batch. */
  used: Promise<{ count: number; msLeft: number }>
}

/**
 * What one caller has used of its quota. Uses that arrive while the store is being asked are asked for together in the next
 * question, and none is when it is known that nothing is left: a flood costs the store next to nothing.
 */
export class Account {
  readonly limit: RateLimit
  readonly #name: string
  readonly #limiter: RateLimiterAbstract
  #underWay: Promise<unknown> = Promise.resolve()
  #next: Batch | undefined
  #usedUpUntil = 0

  constructor(name: string, limit: RateLimit, limiter: RateLimiterAbstract) {
    this.#name = name
    this.limit = limit
    this.#limiter = limiter
  }

  get msUntilReset() {
    return Math.max(0, this.#usedUpUntil - performance.now())
  }

  spend(): Spent | Promise<Spent> {
    const { limit, msUntilReset } = this
    if (msUntilReset > 0) return { limit, isOver: true, remaining: 0, msLeft: msUntilReset }
    this.#next ??= this.#openBatch()
    const batch = this.#next
    const place = ++batch.size
    return batch.used.then(({ count, msLeft }) => {
      const used = count - batch.size + place
      return { limit, isOver: used > limit.quota, remaining: Math.max(0, limit.quota - used), msLeft }
    })
  }

  #openBatch(): Batch {
    const batch: Batch = { size: 0, used: this.#underWay.then(() => this.#ask(batch)) }
    this.#underWay = batch.used.catch(() => {})
    return batch
  }

  async #ask(batch: Batch) {
    this.#next = undefined
    const { consumedPoints: count, msBeforeNext } = await this.#limiter.penalty(this.#name, batch.size)
    // In memory that is measured by the clock on the wall, which may have been set back.
    const msLeft = Math.min(msBeforeNext, this.limit.windowSeconds * 1_000)
    if (count >= this.limit.quota) this.#usedUpUntil = performance.now() + msLeft
    return { count, msLeft }
  }
}
