import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { formatRateLimit, type RateLimit } from '../../lib/rate-limit.ts'
import { Account, type Spent } from './account.ts'
import type { Redis } from './redis.ts'

// More than use their quotas at any time. Beyond that, the one that was not seen for longest is forgotten.
const MAX_ACCOUNTS = 10_000

/**
 * Who has used how much of what it may use, in windows of fixed length that begin with the first use: over all processes that
 * share a Redis; in this one where there is none, or it is away.
 */
export class Quotas {
  readonly #kind: string
  readonly #redis: Redis | undefined
  readonly #accounts = new Map<string, Account>()
  readonly #limiters = new Map<string, Limiter>()

  constructor(kind: 'key' | 'address', redis?: Redis) {
    this.#kind = kind
    this.#redis = redis
  }

  /** One use more. At once where it is known that nothing is left. */
  spend(name: string, limit: RateLimit): Spent | Promise<Spent> {
    const known = this.#accounts.get(name)
    const isSame = known?.limit.quota === limit.quota && known.limit.windowSeconds === limit.windowSeconds
    const account = isSame ? known : new Account(name, limit, this.#limiterOf(limit).limiter)
    this.#keep(name, account)
    return account.spend()
  }

  /** For how long nothing will be left, in milliseconds, as far as this process knows. */
  msUntilReset(name: string) {
    return this.#accounts.get(name)?.msUntilReset ?? 0
  }

  /** As the last, since it was seen last. */
  #keep(name: string, account: Account) {
    this.#accounts.delete(name)
    this.#accounts.set(name, account)
    if (this.#accounts.size > MAX_ACCOUNTS) this.#forgetFirst()
  }

  #forgetFirst() {
    for (const [name, { limit }] of this.#accounts) {
      this.#accounts.delete(name)
      void this.#limiterOf(limit).memory.delete(name)
      break
    }
  }

  #limiterOf(limit: RateLimit) {
    const text = formatRateLimit(limit)
    const limiter = this.#limiters.get(text) ?? openLimiter(`petstore:${this.#kind}:${text}`, limit, this.#redis)
    this.#limiters.set(text, limiter)
    return limiter
  }
}

type Limiter = ReturnType<typeof openLimiter>

function openLimiter(keyPrefix: string, { quota, windowSeconds }: RateLimit, redis: Redis | undefined) {
  const options = { keyPrefix, points: quota, duration: windowSeconds }
  const memory = new RateLimiterMemory(options)
  if (!redis) return { memory, limiter: memory }
  const limiter = new RateLimiterRedis({
    ...options,
    storeClient: redis,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    insuranceLimiter: memory,
  })
  return { memory, limiter }
}
