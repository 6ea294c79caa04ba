import type { RateLimit } from '../lib/rate-limit.ts'
import type { Quotas } from '../storage/limits/quotas.ts'
import type { Principal } from './principal.ts'

export type { Spent } from '../storage/limits/account.ts'
export type { Quotas } from '../storage/limits/quotas.ts'

/** The limit of a key, or the default. */
export function limitOf({ rateLimit }: Pick<Principal, 'rateLimit'>, byDefault: RateLimit | undefined) {
  return rateLimit ?? byDefault
}

/** Counts a request against the limit of its key. Undefined if it has none. */
export function spendQuota(quotas: Quotas, principal: Principal, byDefault: RateLimit | undefined) {
  const limit = limitOf(principal, byDefault)
  return limit && quotas.spend(principal.chainId, limit)
}
