import type { FastifyReply } from 'fastify'
import { limitOf, type Quotas, type Spent, spendQuota } from '../../domain/limits.ts'
import type { Principal } from '../../domain/principal.ts'
import type { RateLimit } from '../../lib/rate-limit.ts'
import { errorBody } from '../wire/errors.ts'

export const KEY_LIMIT_REACHED =
  'This key has reached its rate limit, which `RateLimit-Policy` states. Try again after `Retry-After` seconds.'

const REFUSAL = errorBody('rate_limited', KEY_LIMIT_REACHED)
const REFUSAL_TEXT = JSON.stringify(REFUSAL)
const FAILURE = { code: REFUSAL.code }

/** Keeps a busy key from hurting the others. Most keys have no limit, and cost nothing here. */
export class RateLimits {
  readonly #quotas: Quotas
  readonly #byDefault: RateLimit | undefined
  #refused = 0

  constructor(quotas: Quotas, byDefault: RateLimit | undefined) {
    this.#quotas = quotas
    this.#byDefault = byDefault
  }

  get refused() {
    return this.#refused
  }

  /** What holds for a key, if anything does. */
  limitOf(principal: Principal) {
    return limitOf(principal, this.#byDefault)
  }

  /** Counts a call; its answer, whatever that will be, tells what is left. A promise only where somebody else must be asked. */
  spend(principal: Principal, reply: FastifyReply): Spent | undefined | Promise<Spent> {
    const spent = spendQuota(this.#quotas, principal, this.#byDefault)
    if (spent instanceof Promise) return spent.then((told) => tell(told, reply))
    return spent && tell(spent, reply)
  }

  refuse({ msLeft }: Spent, reply: FastifyReply) {
    this.#refused++
    refuse(reply, REFUSAL.status, REFUSAL_TEXT, inSeconds(msLeft))
  }
}

function tell(spent: Spent, reply: FastifyReply) {
  const { limit, remaining, msLeft } = spent
  reply.foretell('ratelimit-policy', `"default";q=${limit.quota};w=${limit.windowSeconds}`)
  reply.foretell('ratelimit', `"default";r=${remaining};t=${inSeconds(msLeft)}`)
  return spent
}

function inSeconds(ms: number) {
  return Math.ceil(ms / 1_000)
}

/** Answers at once: an error that is thrown and told costs several times as much, and a flood brings many of these. */
export function refuse(reply: FastifyReply, status: number, text: string, seconds: number) {
  reply.request.failure = FAILURE
  reply.answer(status, text, ['retry-after', String(Math.max(1, seconds))])
}
