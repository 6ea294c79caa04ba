import type { FastifyReply } from 'fastify'
import type { Principal } from '../../domain/principal.ts'
import { byLabel, counter } from '../../lib/metric.ts'
import type { RateLimit, Usage } from '../../lib/rate-limit.ts'
import { errorBody } from '../wire/errors.ts'

export const KEY_LIMIT_REACHED =
  'This key has reached its rate limit, which `RateLimit-Policy` states. Try again after `Retry-After` seconds.'

const REJECTION = errorBody('rate_limited', KEY_LIMIT_REACHED)
const REJECTION_TEXT = JSON.stringify(REJECTION)
const FAILURE = { code: REJECTION.code }

/** What each caller has used of its quota. */
export interface Quotas {
  /** Counts one more use. */
  spend: (name: string, limit: RateLimit) => Usage | Promise<Usage>
  /** How long the quota stays used up, in milliseconds, as far as this process knows. */
  msUntilReset: (name: string, limit: RateLimit) => number
}

/** Keeps a busy key from hurting the others. Most keys have no limit, and cost nothing here. */
export class RateLimits {
  readonly #quotas: Quotas
  readonly #byDefault: RateLimit | undefined
  #rejected = 0

  constructor(quotas: Quotas, byDefault: RateLimit | undefined) {
    this.#quotas = quotas
    this.#byDefault = byDefault
  }

  get rejected() {
    return this.#rejected
  }

  /** The limit of a key, or the default. Undefined if there is none. */
  limitOf({ rateLimit }: Pick<Principal, 'rateLimit'>) {
    return rateLimit ?? this.#byDefault
  }

  /** Counts a request; the headers of its response say how many are left. Returns a promise only where Redis counts. */
  spend(principal: Principal, reply: FastifyReply): Usage | undefined | Promise<Usage> {
    const limit = this.limitOf(principal)
    const usage = limit && this.#quotas.spend(principal.chainId, limit)
    if (usage instanceof Promise) return usage.then((counted) => addLimitHeaders(counted, reply))
    return usage && addLimitHeaders(usage, reply)
  }

  reject({ msLeft }: Usage, reply: FastifyReply) {
    this.#rejected++
    rejectLimited(reply, REJECTION.status, REJECTION_TEXT, inSeconds(msLeft))
  }
}

export function limitMetrics(key: { readonly rejected: number }, address?: { readonly rejected: number }) {
  return [
    counter('petstore_rate_limited_total', 'Requests rejected with 429, by whose limit was reached.', () =>
      byLabel('by', { key: key.rejected, address: address?.rejected ?? 0 }),
    ),
  ]
}

function addLimitHeaders(usage: Usage, reply: FastifyReply) {
  const { limit, remaining, msLeft } = usage
  reply.addHeaders('ratelimit-policy', `"default";q=${limit.quota};w=${limit.windowSeconds}`)
  reply.addHeaders('ratelimit', `"default";r=${remaining};t=${inSeconds(msLeft)}`)
  return usage
}

function inSeconds(ms: number) {
  return Math.ceil(ms / 1_000)
}

/** Responds directly: throwing and catching an error costs several times as much, and a flood brings many of these. */
export function rejectLimited(reply: FastifyReply, status: number, text: string, seconds: number) {
  reply.request.failure = FAILURE
  reply.respond(status, text, ['retry-after', String(Math.max(1, seconds))])
}
