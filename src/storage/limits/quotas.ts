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
    const id = accountId(name, limit)
    const account = this.#accounts.get(id) ?? this.#open(name, limit)
    keepNewest(this.#accounts, id, account, MAX_ACCOUNTS)
    return account.spend()
  }

  /** How long the quota stays used up, in milliseconds, as far as this process knows. */
  msUntilReset(name: string, limit: RateLimit) {
    return this.#accounts.get(accountId(name, limit))?.msUntilReset ?? 0
  }

  #open(name: string, limit: RateLimit) {
    return new Account(`petstore:${this.#kind}:${formatRateLimit(limit)}:${name}`, limit, this.#redis)
  }
}

/** Keys of one chain may have different limits. Each limit is counted apart, or a client that alternates would start anew each time. */
function accountId(name: string, { quota, windowSeconds }: RateLimit) {
  return `${name} ${quota} ${windowSeconds}`
}
