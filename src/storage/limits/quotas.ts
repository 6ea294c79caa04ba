import { keepNewest } from '../../lib/keep-newest.ts'
import { formatRateLimit, type RateLimit, type Usage } from '../../lib/rate-limit.ts'
import { Account } from './account.ts'
import type { Redis } from './redis.ts'

// More than are active at any time. Beyond that, the least recently used is forgotten.
const MAX_ACCOUNTS = 10_000

/**
 * What each caller has used of its quota: over all processes that share a Redis, or in this one, while Redis is unavailable or not
 * configured.
 */
export class Quotas {
  readonly #kind: string
  readonly #redis: Redis | undefined
  readonly #accounts = new Map<string, Account>()

  constructor(kind: 'key' | 'address', redis?: Redis) {
    this.#kind = kind
    this.#redis = redis
  }

  /** Counts one more use. Returns no promise if the quota is known to be used up. */
  spend(name: string, limit: RateLimit): Usage | Promise<Usage> {
    const known = this.#accounts.get(name)
    const isSame = known?.limit.quota === limit.quota && known.limit.windowSeconds === limit.windowSeconds
    const account = isSame ? known : this.#open(name, limit)
    keepNewest(this.#accounts, name, account, MAX_ACCOUNTS)
    return account.spend()
  }

  /** How long the quota stays used up, in milliseconds, as far as this process knows. */
  msUntilReset(name: string) {
    return this.#accounts.get(name)?.msUntilReset ?? 0
  }

  #open(name: string, limit: RateLimit) {
    return new Account(`petstore:${this.#kind}:${formatRateLimit(limit)}:${name}`, limit, this.#redis)
  }
}
