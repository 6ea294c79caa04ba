import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { delaysOf } from '../lib/delays.ts'
import { namedAddress } from '../lib/ids/store-address.ts'
import { reasonOf } from '../lib/reason.ts'
import type { ClientTimes } from '../lib/times.ts'
import type { ResponseRecord } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Admission } from './gate/admission.ts'
import { lingerOnClose } from './server/connection.ts'
import type { Draining } from './server/draining.ts'
import { deprecationHeaders } from './wire/deprecation.ts'
import type { ErrorCode } from './wire/error-codes.ts'
import { type ErrorBody, toErrorBody } from './wire/errors.ts'
import { COMMON_HEADERS, hasBody } from './wire/headers.ts'
import { idFields } from './wire/path-ids.ts'
import type { Medium } from './wire/wording.ts'

/** A body as it is sent. */
export type Content = string | Uint8Array | Readable

declare module 'fastify' {
  interface FastifyRequest {
    /** Why it was rejected, or failed. */
    failure: Failure | undefined
    /** Whether its connection is closed after the response. */
    isLast: boolean
    /** Set if it calls a tool: the outcome of that counts, rather than the status of the response. */
    tool: ToolCall | undefined
  }
  interface FastifyReply {
    /**
     * Adds headers, names and values in turn, to the response. Fastify's own `header` collects them into an object for every response, even
     * if there are none.
     */
    addHeaders: (...headers: string[]) => void
    addedHeaders: string[] | undefined
    /** Sends the response. `headers` are names and values in turn, in addition to those added before and the `common` ones. */
    respond: (
      status: number,
      content?: Content,
      headers?: readonly string[],
      type?: string,
      common?: readonly string[],
    ) => void
  }
}

interface ToolCall {
  name: string
  /** The method of the operation that the tool executes. */
  method: string
  status: number
  /** Called when the operation begins to wait for an event. */
  onWait?: () => void
}

interface Failure {
  code: ErrorCode
  /** For the log only. Set if the fault is not the client's. */
  reason?: string | undefined
}

/** The observers of every response, and what it depends on. */
export interface Reporter {
  /** Disabled observers are `undefined`, so a request pays nothing for them. */
  metrics: Metrics | undefined
  logResponse: ((response: ResponseRecord) => void) | undefined
  logger: Pick<FastifyBaseLogger, 'warn'>
  /** The network of the client, if it is known. */
  networkOf: (request: FastifyRequest) => string | undefined
  admission: Admission
  draining: Draining
  clientTimes: ClientTimes
}

const JSON_TYPE = 'application/json'
const SLOW_MS = 1_000

export type DescribeFailure = (error: unknown, request: FastifyRequest, medium?: Medium) => ErrorBody

/** Describes an error to the client. The log line of the response has the rest. */
export function failureDescriber(logger: Pick<FastifyBaseLogger, 'error'>): DescribeFailure {
  return (error, request, medium) => {
    const body = toErrorBody(error, medium)
    request.failure = { code: body.code, reason: body.status >= 500 ? reasonOf(error) : undefined }
    // An unexpected error is logged with its stack; for the others the line of the response is enough.
    if (body.code === 'internal_error') {
      const store = namedAddress(request.store?.address)
      logger.error({ requestId: request.id, store, err: error }, body.code)
    }
    return body
  }
}

const COMMON = Object.entries(COMMON_HEADERS).flat()

/**
 * Every response of a route is sent by `reply.respond`, with the headers that all have in common. Fastify's own `send` inspects
 * body and headers again, and adds a charset, which JSON does not have; docs/reports/performance.md has what this saves.
 */
export function decorateReply(app: FastifyInstance, baseUrl: string, reporter: Reporter) {
  const { draining, clientTimes } = reporter
  const deprecations = new Map<string, (request: FastifyRequest) => string[]>()
  app.addHook('onReady', async () => {
    for (const { id, deprecated } of app.operations)
      if (deprecated) deprecations.set(id, deprecationHeaders(baseUrl, deprecated))
  })
  app.decorateReply('addedHeaders')
  app.decorateReply('addHeaders', function addHeaders(...headers) {
    this.addedHeaders = [...(this.addedHeaders ?? []), ...headers]
  })
  app.decorateReply('respond', function respond(status, content, headers = [], type = JSON_TYPE, common = COMMON) {
    const { request, raw } = this
    const { route, id: requestId, principal, store } = request
    const { operation } = route.config
    const deprecation = operation?.deprecated ? (deprecations.get(operation.id)?.(request) ?? []) : []
    const all = [...common, 'request-id', requestId, ...headers, ...deprecation]
    if (content !== undefined) all.push('content-type', type)
    const isStream = content instanceof Readable
    if (content !== undefined && !isStream) all.push('content-length', String(Buffer.byteLength(content)))
    // Node would send an empty chunk. With 204 and 304, which have no body, it does not.
    if (content === undefined && status !== 204 && status !== 304) all.push('content-length', '0')
    if (principal?.expiresSoon) all.push('petstore-key-expires', principal.expiresSoon.toUTCString())
    const mode = namedAddress(store?.address)
    if (mode !== undefined) all.push('petstore-mode', mode)
    if (this.addedHeaders) all.push(...this.addedHeaders)
    // A process that shuts down keeps no connections.
    if (mustClose(request, clientTimes) || request.isLast || draining.endsConnections) all.push('connection', 'close')
    raw.writeHead(status, all)
    this.hijack()
    if (isStream) {
      void stream(content, this).finally(() => finish(this, status, reporter))
      return
    }
    raw.end(content)
    finish(this, status, reporter)
  })
}

/** Sends a stream. If it fails or the client is gone, the connection ends: it is too late for another status. */
async function stream(content: Readable, { request, raw }: FastifyReply) {
  if (request.method !== 'HEAD') return await pipeline(content, raw).catch(() => {})
  content.destroy()
  raw.end()
}

function finish(reply: FastifyReply, sent: number, reporter: Reporter) {
  const { request } = reply
  const { metrics, logResponse, networkOf, admission } = reporter
  const ms = Math.round((performance.now() - request.begun) * 100) / 100
  if (ms > SLOW_MS) reportSlow(request, ms, reporter)
  admission.leave(request)
  const { trace, failure, route, principal, tool } = request
  const status = tool?.status ?? sent
  const { operation } = route.config
  const store = namedAddress(request.store?.address)
  trace?.end(status, principal?.keyId, store)
  metrics?.observe(operation?.id, status, ms)
  logResponse?.({
    path: route.url,
    operation: operation?.id,
    method: tool?.method ?? request.method,
    requestId: request.id,
    ids: operation?.params && idFields(operation.params, request.params),
    status,
    keyId: principal?.keyId,
    store,
    client: status === 401 || status === 429 ? networkOf(request) : undefined,
    ms,
    trace_id: trace?.traceId,
    code: failure?.code,
    reason: failure?.reason,
    tool: tool?.name,
  })
}

/** Logs where the time went: into statements, the waits before them, or elsewhere. */
function reportSlow(request: FastifyRequest, ms: number, { logger }: Reporter) {
  const delays = delaysOf(request).map(({ name, waitMs, statementMs }) => ({
    name,
    waitMs: Math.round(waitMs),
    statementMs: Math.round(statementMs),
  }))
  const explained = delays.reduce((sum, { waitMs, statementMs }) => sum + waitMs + statementMs, 0)
  // A request that waits for an event is not slow, and is no longer admitted; one outside of /v1 never was.
  if (request.admittedTo === undefined && explained <= SLOW_MS) return
  const operation = request.route.config.operation?.id
  const elsewhereMs = Math.max(0, Math.round(ms - explained))
  const store = namedAddress(request.store?.address)
  logger.warn({ requestId: request.id, operation, store, ms, delays, elsewhereMs }, 'slow request')
}

/** Whether the next bytes on this connection could be misread as a request. */
function mustClose(request: FastifyRequest, times: ClientTimes) {
  const bodyUnread = request.body === undefined && hasBody(request.raw)
  if (bodyUnread) lingerOnClose(request.socket, times)
  // After an Upgrade, which the service never follows, Node's parser reports no errors any more.
  return bodyUnread || request.headers.upgrade !== undefined
}
