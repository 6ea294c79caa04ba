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
  readonly most: number
  inFlight: number
  rejected: number
}

/**
 * Limits how many requests are in flight. Beyond the capacity of a process, each further request would delay all of them, until none is in
 * time. So those are rejected before they have cost anything. Of two stores, each has half of the places: requests of one that is slow would
 * take all.
 */
export class Admission {
  readonly metrics: readonly Metric[] = [
    gauge('petstore_requests_in_flight', 'Requests under /v1 without a response yet.', () => this.#inFlight),
    counter('petstore_requests_shed_total', 'Requests rejected because too many were in flight.', () => this.#rejected),
  ]
  readonly #places: ReadonlyMap<StoreAddress, Places>
  #inFlight = 0
  #rejected = 0

  /** The default store comes first, and gets the odd place. */
  constructor(most: number, stores: readonly StoreAddress[]) {
    const share = stores.length > 1 ? Math.ceil(most / 2) : most
    const rest = Math.max(1, most - share)
    const placesAt = (i: number) => ({ most: i === 0 ? share : rest, inFlight: 0, rejected: 0 })
    this.#places = new Map(stores.map((store, i) => [store, placesAt(i)]))
    if (stores.length > 1) this.metrics = [...this.metrics, ...this.#metrics()]
  }

  /** Whether one more request of this store would be too many. */
  isFull(store: StoreAddress) {
    const { inFlight, most } = this.#placesOf(store)
    return inFlight >= most
  }

  /** Throws if too many requests are in flight by now. */
  enter(request: FastifyRequest, store: StoreAddress) {
    if (this.isFull(store)) {
      this.#countRejected(store)
      throw new DomainError('overloaded', OVERLOADED_MESSAGE)
    }
    request.admittedTo = store
    this.#inFlight++
    this.#placesOf(store).inFlight++
  }

  /** Called for every response. Every request gets one, even if its client is gone: a connection may end without a sign. */
  leave(request: FastifyRequest) {
    const { admittedTo } = request
    if (admittedTo === undefined) return
    request.admittedTo = undefined
    this.#inFlight--
    this.#placesOf(admittedTo).inFlight--
  }

  /**
   * Responds directly: throwing, catching and logging an error costs several times as much, at the worst time. A body that came along with
   * its head has been read at the end of this turn. It is dropped, and the client keeps its connection: closing it would bring it back as a
   * new one, which costs more than all the rest of a rejection.
   */
  reject(reply: FastifyReply, store: StoreAddress) {
    this.#countRejected(store)
    reply.request.failure = FAILURE
    setImmediate(() => {
      const { request } = reply
      if (request.raw.complete) request.body = null
      reply.respond(REJECTION.status, REJECTION_TEXT, REJECTION_HEADERS)
    })
  }

  #countRejected(store: StoreAddress) {
    this.#rejected++
    this.#placesOf(store).rejected++
  }

  #placesOf(store: StoreAddress) {
    const places = this.#places.get(store)
    if (!places) throw new Error(`there are no places for the store ${store}`)
    return places
  }

  #metrics() {
    const read = (count: 'inFlight' | 'rejected') => () =>
      byLabel('store', Object.fromEntries(Array.from(this.#places, ([store, places]) => [store, places[count]])))
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
