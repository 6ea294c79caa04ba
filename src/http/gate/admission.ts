import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, OVERLOADED_MESSAGE } from '../../domain/errors.ts'
import type { StoreAddress } from '../../lib/ids/store-address.ts'
import { byLabel, counter, gauge, type Metric } from '../../lib/metric.ts'
import { errorBody, errorHeaders } from '../wire/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The store in which it counts as in flight, which it does until its response. */
    admittedTo: StoreAddress | undefined
  }
}

const REJECTION = errorBody('overloaded', OVERLOADED_MESSAGE)
const FAILURE = { code: REJECTION.code, reason: 'too many requests in flight' }
const REJECTION_TEXT = JSON.stringify(REJECTION)
const REJECTION_HEADERS = errorHeaders(REJECTION)

/** Of a store. */
interface Places {
  inFlight: number
  rejected: number
}

/**
 * Limits how many requests are in flight. Beyond the capacity of a process, each further request would delay all of them, until none is in
 * time. So those are rejected before they have cost anything. Of several stores, none gets more than half: requests of one that is slow
 * would take all.
 */
export class Admission {
  readonly metrics: readonly Metric[] = [
    gauge('petstore_requests_in_flight', 'Requests under /v1 without a response yet.', () => this.#inFlight),
    counter('petstore_requests_shed_total', 'Requests rejected because too many were in flight.', () => this.#rejected),
  ]
  readonly #most: number
  readonly #mostOfStore: number
  readonly #places: Record<StoreAddress, Places>
  #inFlight = 0
  #rejected = 0

  constructor(most: number, stores: readonly StoreAddress[]) {
    this.#most = most
    this.#mostOfStore = stores.length > 1 ? Math.ceil(most / 2) : most
    this.#places = { live: { inFlight: 0, rejected: 0 }, test: { inFlight: 0, rejected: 0 } }
    if (stores.length > 1) this.metrics = [...this.metrics, ...this.#metricsOf(stores)]
  }

  /** Whether one more request of this store would be too many. */
  isFull(address: StoreAddress) {
    return this.#inFlight >= this.#most || this.#places[address].inFlight >= this.#mostOfStore
  }

  /** Throws if too many requests are in flight by now. */
  enter(request: FastifyRequest, address: StoreAddress) {
    if (this.isFull(address)) {
      this.#countRejected(address)
      throw new DomainError('overloaded', OVERLOADED_MESSAGE)
    }
    request.admittedTo = address
    this.#inFlight++
    this.#places[address].inFlight++
  }

  /** Called for every response. Every request gets one, even if its client is gone: a connection may end without a sign. */
  leave(request: FastifyRequest) {
    const { admittedTo } = request
    if (admittedTo === undefined) return
    request.admittedTo = undefined
    this.#inFlight--
    this.#places[admittedTo].inFlight--
  }

  /**
   * Responds directly: throwing, catching and logging an error costs several times as much, at the worst time. A body that came along with
   * its head has been read at the end of this turn. It is dropped, and the client keeps its connection: closing it would bring it back as a
   * new one, which costs more than all the rest of a rejection.
   */
  reject(reply: FastifyReply, address: StoreAddress) {
    this.#countRejected(address)
    reply.request.failure = FAILURE
    setImmediate(() => {
      const { request } = reply
      if (request.raw.complete) request.body = null
      reply.respond(REJECTION.status, REJECTION_TEXT, REJECTION_HEADERS)
    })
  }

  #countRejected(address: StoreAddress) {
    this.#rejected++
    this.#places[address].rejected++
  }

  #metricsOf(stores: readonly StoreAddress[]) {
    const read = (count: keyof Places) => () =>
      byLabel('store', Object.fromEntries(stores.map((address) => [address, this.#places[address][count]])))
    return [
      gauge(
        'petstore_store_requests_in_flight',
        'Requests under /v1 without a response yet, by store.',
        read('inFlight'),
      ),
      counter(
        'petstore_store_requests_shed_total',
        'Requests rejected because too many of their store were in flight.',
        read('rejected'),
      ),
    ]
  }
}
