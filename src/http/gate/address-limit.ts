import type { BlockList } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, ownNetwork } from '../../lib/client-address.ts'
import type { RateLimit } from '../../lib/rate-limit.ts'
import { errorBody } from '../wire/errors.ts'
import { type Quotas, rejectLimited } from './rate-limits.ts'

const REJECTION = errorBody(
  'rate_limited',
  'Too many requests with a wrong key came from your IP address. Try again after `Retry-After` seconds, with the right key.',
)
const REJECTION_TEXT = JSON.stringify(REJECTION)

/** Blocks an IP address for a while after too many requests from it failed to authenticate. */
export class AddressLimit {
  readonly #quotas: Quotas
  readonly #limit: RateLimit
  readonly #proxies: BlockList | undefined
  #rejected = 0

  constructor(quotas: Quotas, limit: RateLimit, proxies: BlockList | undefined) {
    this.#quotas = quotas
    this.#limit = limit
    this.#proxies = proxies
  }

  get rejected() {
    return this.#rejected
  }

  /** Rejects a request before its key is read; returns whether it did. Counts in memory only, so a flood costs next to nothing. */
  rejects(request: FastifyRequest, reply: FastifyReply) {
    const network = this.#networkOf(request)
    const msLeft = network === undefined ? 0 : this.#quotas.msUntilReset(network, this.#limit)
    if (msLeft === 0) return false
    this.#rejected++
    rejectLimited(reply, REJECTION.status, REJECTION_TEXT, Math.ceil(msLeft / 1_000))
    return true
  }

  /** Counts a failure. The response does not wait for this. */
  noteFailure(request: FastifyRequest) {
    const network = this.#networkOf(request)
    if (network !== undefined) Promise.resolve(this.#quotas.spend(network, this.#limit)).catch(() => {})
  }

  /** Undefined where a trusted proxy does not name the client: one client must not block all others of that proxy. */
  #networkOf({ socket, headers }: FastifyRequest) {
    const address = clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'], this.#proxies)
    return address === undefined ? undefined : ownNetwork(address)
  }
}
