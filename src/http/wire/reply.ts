import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Admission } from '../gate/admission.ts'
import { lingerOnClose } from '../server/connection.ts'
import type { Draining } from '../server/draining.ts'
import { announcementOfEnd } from './deprecation.ts'
import type { ErrorCode } from './errors.ts'
import { COMMON_HEADERS, hasBody } from './headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Why it was refused, or failed. */
    failure: Failure | undefined
    /** Its connection ends with its answer. */
    isLast: boolean
  }
  interface FastifyReply {
    /**
     * Adds headers, names and values in turn, to the answer that is to come. Fastify's own are gathered into an object for
     * every answer, even where there are none.
     */
    foretell: (...headers: string[]) => void
    foretold: string[] | undefined
    /** Sends the answer. `headers` are names and values in turn, beside those that were foretold. */
    answer: (status: number, body?: string, headers?: readonly string[], type?: string) => void
  }
}

interface Failure {
  code: ErrorCode
  /** What the caller is not told, where the fault is not its own. */
  reason?: string | undefined
}

/** What the log has of a response. Not its URL: the client may have put a secret there. */
export interface Answered {
  /** The path as its route declares it, like `/v1/pets/:petId`; undefined where no route matched. */
  path: string | undefined
  operation: string | undefined
  method: string
  requestId: string
  status: number
  keyId: string | undefined
  /** The network of the client, where it was rejected for its key or its rate. */
  client: string | undefined
  ms: number
  /** Only of the few whose trace is kept; spelled as whatever joins logs and traces expects it. */
  trace_id: string | undefined
  code: ErrorCode | undefined
  reason: string | undefined
}

/** Who hears of every answer, and what all of them depend on. */
export interface Voice {
  /** What nobody wants to hear is absent, and costs nothing. */
  metrics: Metrics | undefined
  logAnswer: ((answer: Answered) => void) | undefined
  /** The network that a request came from, where it can be told. */
  networkOf: (request: FastifyRequest) => string | undefined
  admission: Admission
  draining: Draining
}

const COMMON = Object.entries(COMMON_HEADERS).flat()

/**
 * Every answer of a route is sent by this, and so has the headers that all have in common. Fastify's own way looks at body
 * and headers once more for what they might be, and adds a charset, which JSON does not have.
 */
export function answerInOneVoice(app: FastifyInstance, baseUrl: string, voice: Voice) {
  const { metrics, admission, logAnswer, networkOf, draining } = voice
  const announceEnd = announcementOfEnd(baseUrl)
  app.decorateReply('foretold')
  app.decorateReply('foretell', function foretell(...headers) {
    this.foretold = [...(this.foretold ?? []), ...headers]
  })
  app.decorateReply('answer', function answer(status, body, headers = [], type = 'application/json') {
    const { request, raw } = this
    admission.leave(request)
    const { route, method, id: requestId, principal } = request
    const ends = route.schema?.deprecated ? announceEnd(request) : []
    const all = [...COMMON, 'request-id', requestId, ...headers, ...ends]
    if (body !== undefined) all.push('content-type', type, 'content-length', String(Buffer.byteLength(body)))
    if (principal?.expiresSoon) all.push('petstore-key-expires', principal.expiresSoon.toUTCString())
    if (this.foretold) all.push(...this.foretold)
    // A process that leaves keeps no connection.
    if (mustClose(request) || request.isLast || draining.endsConnections) all.push('connection', 'close')
    raw.writeHead(status, all)
    this.hijack()
    raw.end(body)

    const ms = Math.round((performance.now() - request.begun) * 100) / 100
    const operation = route.schema?.operationId
    const { trace, failure } = request
    trace?.end(status, principal?.keyId)
    metrics?.observe(operation, status, ms)
    logAnswer?.({
      path: route.url,
      operation,
      method,
      requestId,
      status,
      keyId: principal?.keyId,
      client: status === 401 || status === 429 ? networkOf(request) : undefined,
      ms,
      trace_id: trace?.traceId,
      code: failure?.code,
      reason: failure?.reason,
    })
  })
}

/** Whether what follows on this connection could be taken for something that it is not. */
function mustClose(request: FastifyRequest) {
  const bodyUnread = request.body === undefined && hasBody(request.raw)
  if (bodyUnread) lingerOnClose(request.socket)
  // Behind an Upgrade, which nobody here follows, Node's parser tells of no fault any more.
  return bodyUnread || request.headers.upgrade !== undefined
}
