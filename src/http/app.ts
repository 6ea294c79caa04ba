import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Context } from '../domain/context.ts'
import type { Readiness } from '../domain/readiness.ts'
import { guardConnections, lingerOnClose } from './connection.ts'
import { allowOrigin } from './cors.ts'
import { announceEnd } from './deprecation.ts'
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
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
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
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.takesBody)
      request.body = parseJson((request.body as Buffer | undefined) ?? Buffer.alloc(0))
  })
}

/** What every answer has in common: headers, the form of errors, one line in the log. */
function answerInOneVoice(app: FastifyInstance, baseUrl: string, { corsOrigins, draining, metrics }: AppOptions) {
  const origins = new Set(corsOrigins)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(COMMON_HEADERS).header('request-id', request.id)
    if (origins.size > 0) allowOrigin(origins, request, reply)
    if (request.routeOptions.schema?.deprecated) announceEnd(baseUrl, request, reply)
    const fault = faultInHead(request.raw)
    if (!fault) return
    // Whoever frames requests like this may mean something else by what follows.
    reply.header('connection', 'close')
    throw fault
  })

  app.setErrorHandler((error, request, reply) => {
    const body = toErrorBody(error)
    if (body.status >= 500) request.log.error({ err: error }, body.code)
    return reply.code(body.status).headers(errorHeaders(body, request.routeOptions.config.scope)).send(body)
  })

  app.addHook('onSend', async (request, reply, payload) => {
    // Fastify would add a charset, which JSON does not have.
    if (reply.getHeader('content-type') === JSON_WITH_CHARSET) reply.header('content-type', 'application/json')
    // A body that was not read must not be taken for the next request; behind an Upgrade, which nobody here follows,
    // Node's parser tells of no fault any more; and a process that leaves keeps no connection.
    const bodyUnread = request.body === undefined && hasBody(request.raw)
    if (bodyUnread) lingerOnClose(request.socket)
    if (bodyUnread || request.headers.upgrade !== undefined || draining.aborted) reply.header('connection', 'close')
    return payload
  })

  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.schema?.operationId
    const { method, principal } = request
    const { statusCode: status, elapsedTime } = reply
    metrics.observe(operation, status, elapsedTime)
    // No address: a caller may have put a secret there.
    request.log.info(
      { operation, method, status, keyId: principal?.keyId, ms: Math.round(elapsedTime * 100) / 100 },
      'answered',
    )
  })
}
