import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, OVERLOADED_MESSAGE } from '../../domain/errors.ts'
import { counter, gauge } from '../../lib/metric.ts'
import { errorBody, errorHeaders } from '../wire/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Counted as in flight, until its response. */
    isAdmitted: boolean
  }
}

const REJECTION = errorBody('overloaded', OVERLOADED_MESSAGE)
const FAILURE = { code: REJECTION.code, reason: 'too many requests in flight' }
const REJECTION_TEXT = JSON.stringify(REJECTION)
const REJECTION_HEADERS = errorHeaders(REJECTION)

/**
 * Limits how many requests are in flight. Beyond what a process can carry, each further request would make all of them late,
 * until none is in time; so those are rejected before they have cost anything.
 */
export class Admission {
  readonly metrics = [
    gauge('petstore_requests_in_flight', 'Requests under /v1 without a response yet.', () => this.#inFlight),
    counter('petstore_requests_shed_total', 'Requests rejected because too many were in flight.', () => this.#rejected),
  ]
  readonly #most: number
  #inFlight = 0
  #rejected = 0

  constructor(most: number) {
    this.#most = most
  }

  get isFull() {
    return this.#inFlight >= this.#most
  }

  /** Throws if there are too many by now. */
  enter(request: FastifyRequest) {
    if (this.isFull) {
      this.#rejected++
      throw new DomainError('overloaded', OVERLOADED_MESSAGE)
    }
    request.isAdmitted = true
    this.#inFlight++
  }

  /** For every response. All requests get one, also those whose client is gone: a connection may end without any sign. */
  leave(request: FastifyRequest) {
    if (!request.isAdmitted) return
    request.isAdmitted = false
    this.#inFlight--
  }

  /**
   * Responds directly: an error that is thrown, caught and logged costs several times as much, when there is nothing to spare.
   * A body that came along with its head has been read when this turn is over. It is dropped, and the client keeps its
   * connection: closed ones would come back as new ones, which cost more than all the rest of a rejection.
   */
  reject(reply: FastifyReply) {
    this.#rejected++
    reply.request.failure = FAILURE
    setImmediate(() => {
      const { request } = reply
      if (request.raw.complete) request.body = null
      reply.respond(REJECTION.status, REJECTION_TEXT, REJECTION_HEADERS)
    })
  }
}
