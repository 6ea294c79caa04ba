import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Context } from '../domain/context.ts'
import type { Readiness } from '../domain/readiness.ts'
import { guardConnections, lingerOnClose } from './connection.ts'
import { allowOrigin } from './cors.ts'
import { announcementOfEnd } from './deprecation.ts'
import { docsRoutes } from './docs/route.ts'
import { errorHeaders, STATUS_OF, toErrorBody } from './errors.ts'
import { faultInHead, MAX_HEAD_BYTES, mendPercentEncoding } from './framing.ts'
import { guardPublic, guardVersion1, knowAllMethods } from './gate.ts'
import { COMMON_HEADERS, hasBody, requestIdOf } from './headers.ts'
import { healthRoutes } from './health.ts'
import { parseJson } from './json.ts'
import { MAX_BODY_BYTES } from './media-type.ts'
import type { Metrics } from './metrics.ts'
import { describeRoutes, openApiRoute } from './openapi.ts'
import { petRoutes } from './pets.ts'
import { ErrorSchema } from './schemas/errors.ts'
import { NewPet, Pet, PetStatus, Pets } from './schemas/pets.ts'
import { validatorCompiler } from './validation.ts'

export interface AppOptions {
  logger: FastifyBaseLogger
  publicBaseUrl?: string | undefined
  corsOrigins: readonly string[]
  readiness: Readiness
  metrics: Metrics
  /** Aborted when the process has begun to shut down. */
  draining: AbortSignal
}

const VERSION_PREFIX = '/v1'
const JSON_WITH_CHARSET = 'application/json; charset=utf-8'

// A request must arrive whole within four seconds; who is late is looked up twice a second.
const LIMITS = {
  bodyLimit: MAX_BODY_BYTES,
  requestTimeout: 4_000,
  connectionTimeout: 30_000,
  keepAliveTimeout: 72_000,
  http: {
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: 4_000,
    connectionsCheckingInterval: 500,
    requireHostHeader: false,
  },
  routerOptions: { maxParamLength: 16_384 },
}

/** The whole HTTP interface, the same in production and in tests. */
export function buildApp(context: Context, options: AppOptions) {
  const baseUrl = options.publicBaseUrl ?? VERSION_PREFIX
  const app = Fastify({
    ...LIMITS,
    loggerInstance: withoutChildren(options.logger),
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: requestIdOf,
    rewriteUrl: mendPercentEncoding,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  }).withTypeProvider<TypeBoxTypeProvider>()

  guardConnections(app.server, (code, requestId) => {
    options.metrics.observe(undefined, STATUS_OF[code], 0)
    options.logger.info({ requestId, code, status: STATUS_OF[code] }, 'refused')
  })
  knowAllMethods(app)
  app.setValidatorCompiler(validatorCompiler)
  for (const schema of [ErrorSchema, PetStatus, NewPet, Pet, Pets]) app.addSchema(schema)
  app.decorateRequest('principal')
  readBodiesAsJson(app)
  answerInOneVoice(app, baseUrl, options)

  describeRoutes(app, VERSION_PREFIX, baseUrl)
  app.register(async (open) => {
    guardPublic(open)
    healthRoutes(open, options.readiness, options.draining)
    openApiRoute(open)
    docsRoutes(open, baseUrl)
  })
  app.register(
    async (v1) => {
      guardVersion1(v1, context)
      await v1.register(petRoutes, { context, baseUrl })
    },
    { prefix: VERSION_PREFIX },
  )
  return app
}

function readBodiesAsJson(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  // Kept as bytes here: an error thrown by a parser would cost the caller its connection.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRoute', (route) => {
    if (route.config?.takesBody) route.preValidation = readJson
  })
}

function readJson(request: FastifyRequest, _reply: FastifyReply, done: () => void) {
  request.body = parseJson((request.body as Buffer | undefined) ?? Buffer.alloc(0))
  done()
}

/** What the lines of an operation have in common is put into words once. */
function loggersOf(logger: FastifyBaseLogger) {
  const loggers = new Map<string, FastifyBaseLogger>()
  return (operation: string | undefined, method: string) => {
    const name = `${method} ${operation}`
    const known = loggers.get(name) ?? logger.child({ operation, method })
    loggers.set(name, known)
    return known
  }
}

/** Fastify makes a logger for each request. One is enough: the lines that we write name their request themselves. */
function withoutChildren(logger: FastifyBaseLogger) {
  const only = Object.create(logger) as FastifyBaseLogger
  only.child = () => only
  return only
}

/** What every answer has in common: headers, the form of errors, one line in the log. */
function answerInOneVoice(
  app: FastifyInstance,
  baseUrl: string,
  { logger, corsOrigins, draining, metrics }: AppOptions,
) {
  const origins = new Set(corsOrigins)
  const announceEnd = announcementOfEnd(baseUrl)
  const loggerOf = loggersOf(logger)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(COMMON_HEADERS).header('request-id', request.id)
    if (origins.size > 0) allowOrigin(origins, request, reply)
    if (request.routeOptions.schema?.deprecated) announceEnd(request, reply)
    const fault = faultInHead(request.raw)
    // Whoever frames requests like this may mean something else by what follows.
    if (fault) reply.header('connection', 'close')
    done(fault)
  })

  app.setErrorHandler((error, request, reply) => {
    const body = toErrorBody(error)
    if (body.status >= 500) logger.error({ requestId: request.id, err: error }, body.code)
    return reply.code(body.status).headers(errorHeaders(body, request.routeOptions.config.scope)).send(body)
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    // Fastify would add a charset, which JSON does not have.
    if (reply.getHeader('content-type') === JSON_WITH_CHARSET) reply.header('content-type', 'application/json')
    // A body that was not read must not be taken for the next request; behind an Upgrade, which nobody here follows,
    // Node's parser tells of no fault any more; and a process that leaves keeps no connection.
    const bodyUnread = request.body === undefined && hasBody(request.raw)
    if (bodyUnread) lingerOnClose(request.socket)
    if (bodyUnread || request.headers.upgrade !== undefined || draining.aborted) reply.header('connection', 'close')
    done(null, payload)
  })

  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.schema?.operationId
    const { method, principal } = request
    const { statusCode: status, elapsedTime } = reply
    metrics.observe(operation, status, elapsedTime)
    // No address: a caller may have put a secret there.
    const ms = Math.round(elapsedTime * 100) / 100
    loggerOf(operation, method).info({ requestId: request.id, status, keyId: principal?.keyId, ms }, 'answered')
    done()
  })
}
