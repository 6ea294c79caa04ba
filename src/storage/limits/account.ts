import type { RateLimit, Usage } from '../../lib/rate-limit.ts'
import type { Redis } from './redis.ts'

interface Batch {
  size: number
  used: Promise<Used>
}

interface Used {
  count: number
  msLeft: number
}

/**
 * What one caller has used of its quota, in windows of fixed length that begin with the first use. Uses that arrive during a query to Redis
 * share the next one, and a quota that is used up needs none: a flood costs Redis next to nothing.
 */
export class Account {
  readonly limit: RateLimit
  readonly #name: string
  readonly #redis: Redis | undefined
  #underWay: Promise<unknown> = Promise.resolve()
  #next: Batch | undefined
  #usedUpUntil = 0
  /** The count of this process, for when Redis is unavailable or not configured. */
  #here = { count: 0, end: 0 }

  constructor(name: string, limit: RateLimit, redis: Redis | undefined) {
    this.#name = name
    this.limit = limit
    this.#redis = redis
  }

  get msUntilReset() {
    return Math.max(0, this.#usedUpUntil - performance.now())
  }

  spend(): Usage | Promise<Usage> {
    const { limit, msUntilReset } = this
    if (msUntilReset > 0) return { limit, isOver: true, remaining: 0, msLeft: msUntilReset }
    this.#next ??= this.#openBatch()
    const batch = this.#next
    const position = ++batch.size
    return batch.used.then(({ count, msLeft }) => {
      const used = count - batch.size + position
      return { limit, isOver: used > limit.quota, remaining: Math.max(0, limit.quota - used), msLeft }
    })
  }

  #openBatch(): Batch {
    const batch: Batch = { size: 0, used: this.#underWay.then(() => this.#ask(batch)) }
    this.#underWay = batch.used.catch(() => {})
    return batch
  }

  async #ask(batch: Batch): Promise<Used> {
    this.#next = undefined
    const windowMs = this.limit.windowSeconds * 1_000
    const used = (await this.#redis?.add(this.#name, batch.size, windowMs)) ?? this.#addHere(batch.size, windowMs)
    if (used.count >= this.limit.quota) this.#usedUpUntil = performance.now() + used.msLeft
    return used
  }

  /** Uses the monotonic clock: setting the time of day changes no window. */
  #addHere(uses: number, windowMs: number): Used {
    const now = performance.now()
    if (now >= this.#here.end) this.#here = { count: 0, end: now + windowMs }
    this.#here.count += uses
    return { count: this.#here.count, msLeft: this.#here.end - now }
  }
}
