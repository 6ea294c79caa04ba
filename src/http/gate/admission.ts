import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, OVERLOADED_MESSAGE } from '../../domain/errors.ts'
import { errorBody, errorHeaders } from '../wire/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Counted as in flight, until its answer. */
    isAdmitted: boolean
  }
}

const REFUSAL = errorBody('overloaded', OVERLOADED_MESSAGE)
const FAILURE = { code: REFUSAL.code, reason: 'too many calls in flight' }
const REFUSAL_TEXT = JSON.stringify(REFUSAL)
const REFUSAL_HEADERS = errorHeaders(REFUSAL)

/**
 * How many calls are in flight, and no more than that. Beyond what a process can carry each further call would make all of
 * them late, until none is answered in time; so those are refused, before they have cost anything.
 */
export class Admission {
  readonly #most: number
  #inFlight = 0
  #refused = 0

  constructor(most: number) {
    this.#most = most
  }

  get isFull() {
    return this.#inFlight >= this.#most
  }

  get counts() {
    return { inFlight: this.#inFlight, refused: this.#refused }
  }

  /** Throws where there are too many by now. */
  enter(request: FastifyRequest) {
    if (this.isFull) {
      this.#refused++
      throw new DomainError('overloaded', OVERLOADED_MESSAGE)
    }
    request.isAdmitted = true
    this.#inFlight++
  }

  /** For every answer. All requests get one, also those whose caller has gone away; a connection may end without any sign. */
  leave(request: FastifyRequest) {
    if (!request.isAdmitted) return
    request.isAdmitted = false
    this.#inFlight--
  }

  /**
   * Answers directly: an error that is thrown, told and logged costs several times as much, when there is nothing to spare.
   * A body that came along with its head is there when this turn is over. It is let go, and the caller keeps its connection:
   * closed ones would come back as new ones, which cost more than all the rest of a refusal.
   */
  refuse(reply: FastifyReply) {
    this.#refused++
    reply.request.failure = FAILURE
    setImmediate(() => {
      const { request } = reply
      if (request.raw.complete) request.body = null
      reply.answer(REFUSAL.status, REFUSAL_TEXT, REFUSAL_HEADERS)
    })
  }
}
