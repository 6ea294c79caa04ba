import type { BlockList } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Quotas } from '../../domain/limits.ts'
import { clientAddress, ownNetwork } from '../../lib/client-address.ts'
import type { RateLimit } from '../../lib/rate-limit.ts'
import { errorBody } from '../wire/errors.ts'
import { refuse } from './rate-limits.ts'

const REFUSAL = errorBody(
  'rate_limited',
  'Too many requests with a wrong key came from your IP address. Try again after `Retry-After` seconds, with the right key.',
)
const REFUSAL_TEXT = JSON.stringify(REFUSAL)

/** Bars an address for a while from which too many calls came that failed to authenticate. */
export class AddressBar {
  readonly #quotas: Quotas
  readonly #limit: RateLimit
  readonly #proxies: BlockList | undefined
  #refused = 0

  constructor(quotas: Quotas, limit: RateLimit, proxies: BlockList | undefined) {
    this.#quotas = quotas
    this.#limit = limit
    this.#proxies = proxies
  }

  get refused() {
    return this.#refused
  }

  /** Whether the call is answered by this, before its key is looked at. Nobody else is asked: a flood costs next to nothing. */
  refuses(request: FastifyRequest, reply: FastifyReply) {
    const network = this.#networkOf(request)
    const msLeft = network === undefined ? 0 : this.#quotas.msUsedUp(network)
    if (msLeft === 0) return false
    this.#refused++
    refuse(reply, REFUSAL.status, REFUSAL_TEXT, Math.ceil(msLeft / 1_000))
    return true
  }

  /** The answer does not wait for this. */
  noteFailure(request: FastifyRequest) {
    const network = this.#networkOf(request)
    if (network !== undefined) Promise.resolve(this.#quotas.spend(network, this.#limit)).catch(() => {})
  }

  /** Undefined where a proxy of ours does not tell who called: all behind it must not be barred for one. */
  #networkOf({ socket, headers }: FastifyRequest) {
    const forwardedFor = headers['x-forwarded-for'] as string | undefined
    const address = clientAddress(socket.remoteAddress ?? '', forwardedFor, this.#proxies)
    return address === undefined ? undefined : ownNetwork(address)
  }
}
