import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, OVERLOADED_MESSAGE } from '../../domain/errors.ts'
import { counter, gauge } from '../../lib/metric.ts'
import { errorBody, errorHeaders } from '../wire/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether it counts as in flight, which it does until its response. */
    isAdmitted: boolean
  }
}

const REJECTION = errorBody('overloaded', OVERLOADED_MESSAGE)
const FAILURE = { code: REJECTION.code, reason: 'too many requests in flight' }
const REJECTION_TEXT = JSON.stringify(REJECTION)
const REJECTION_HEADERS = errorHeaders(REJECTION)

/**
 * Limits how many requests are in flight. Beyond the capacity of a process, each further request would delay all of them, until none is in
 * time. So those are rejected before they have cost anything.
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

  /** Throws if too many requests are in flight by now. */
  enter(request: FastifyRequest) {
    if (this.isFull) {
      this.#rejected++
      throw new DomainError('overloaded', OVERLOADED_MESSAGE)
    }
    request.isAdmitted = true
    this.#inFlight++
  }

  /** Called for every response. Every request gets one, even if its client is gone: a connection may end without a sign. */
  leave(request: FastifyRequest) {
    if (!request.isAdmitted) return
    request.isAdmitted = false
    this.#inFlight--
  }

  /**
   * Responds directly: throwing, catching and logging an error costs several times as much, at the worst time. A body that came along with
   * its head has been read at the end of this turn. It is dropped, and the client keeps its connection: closing it would bring it back as a
   * new one, which costs more than all the rest of a rejection.
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
