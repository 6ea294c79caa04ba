import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Context } from '../domain/context.ts'
import type { Readiness } from '../domain/readiness.ts'
import { reasonOf } from '../lib/reason.ts'
import { deprecations } from './deprecations/routes.ts'
import { docsRoutes } from './docs/route.ts'
import { events } from './events/routes.ts'
import type { Admission } from './gate/admission.ts'
import { allowOrigin, corsMethods } from './gate/cors.ts'
import { type Guards, guardPublic, guardVersion1 } from './gate/gate.ts'
import { supportAllMethods, trackPaths } from './gate/paths.ts'
import { healthRoutes } from './health.ts'
import { keys } from './keys/routes.ts'
import { buildDocument, documentText } from './openapi/document.ts'
import type { Document } from './openapi/types.ts'
import { orders } from './orders/routes.ts'
import { pets } from './pets/routes.ts'
import { decorateReply, type Reporter } from './reply.ts'
import type { Resource } from './resource.ts'
import { securityTxtRoute } from './security-txt.ts'
import { guardConnections } from './server/connection.ts'
import { escapeBadEncoding, faultInHead, MAX_HEAD_BYTES } from './server/framing.ts'
import { ERRORS } from './wire/error-codes.ts'
import { errorHeaders, toErrorBody } from './wire/errors.ts'
import { requestIdOf } from './wire/headers.ts'
import { fieldNames, parseJson } from './wire/json.ts'
import { MAX_BODY_BYTES } from './wire/media-type.ts'
import { ErrorSchema } from './wire/schemas.ts'
import { buildSerializer } from './wire/serialization.ts'
import { Validator } from './wire/validation.ts'

/** What /v1 offers, in the order of the documentation. A new resource is one more line. */
const RESOURCES: Resource[] = [pets, orders, events, keys, deprecations]

export interface AppOptions extends Reporter, Guards {
  logger: Pick<FastifyBaseLogger, 'info' | 'error'>
  version: string
  publicBaseUrl?: string | undefined
  corsOrigins: readonly string[]
  securityContact?: string | undefined
  readiness: Readiness
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of its operations. */
    describe: () => Document
  }
  interface FastifyRequest {
    /** `routeOptions`, which Fastify creates again for each access. */
    route: FastifyRequest['routeOptions']
    /** When its head had arrived, by the clock of `performance`. */
    begun: number
  }
}

export const VERSION_PREFIX = '/v1'

// A request must arrive completely within four seconds; late ones are looked for twice a second.
const LIMITS = {
  bodyLimit: MAX_BODY_BYTES,
  requestTimeout: 4_000,
  connectionTimeout: 72_000,
  http: {
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: 4_000,
    connectionsCheckingInterval: 500,
    requireHostHeader: false,
    optimizeEmptyRequests: true,
  },
  // A path of bad percent-encoding is three times as long once it is escaped.
  routerOptions: { maxParamLength: 3 * MAX_HEAD_BYTES },
}

/** The whole HTTP interface, the same in production and in tests. */
export function buildApp(context: Context, options: AppOptions) {
  const baseUrl = options.publicBaseUrl ?? VERSION_PREFIX
  const app = Fastify({
    ...LIMITS,
    requestIdHeader: false,
    genReqId: requestIdOf,
    rewriteUrl: escapeBadEncoding,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: { buildSerializer } },
  })

  guardConnections(app.server, (code, requestId) => {
    const { status } = ERRORS[code]
    options.metrics?.observe(undefined, status, 0)
    options.logger.info({ requestId, code, status }, 'rejected')
  })
  supportAllMethods(app)
  const schemas = [ErrorSchema, ...RESOURCES.flatMap((resource) => resource.schemas)]
  for (const schema of schemas) app.addSchema(schema)
  app.setValidatorCompiler(new Validator(schemas).compiler)
  app.decorate('operations', [])
  app.decorateRequest('principal')
  app.decorateRequest('route')
  app.decorateRequest('begun', 0)
  app.decorateRequest('isLast', false)
  app.decorateRequest('isAdmitted', false)
  app.decorateRequest('failure')
  app.decorateRequest('trace')
  readBodiesAsJson(app, options.admission)
  decorateReply(app, baseUrl, options)
  handleAllRequests(app, options)

  app.decorate('describe', () => buildDocument(app.operations, { baseUrl, tags: RESOURCES, schemas }))
  app.register(async (open) => {
    guardPublic(open, options.exposedKeys)
    const closePaths = trackPaths(open)
    healthRoutes(open, options)
    openApiRoute(open)
    docsRoutes(open, baseUrl)
    if (options.securityContact) securityTxtRoute(open, options.securityContact, options.publicBaseUrl)
    closePaths()
  })
  app.register(
    async (v1) => {
      guardVersion1(v1, context, options)
      const closePaths = trackPaths(v1)
      const { rateLimits, admission } = options
      for (const { declare } of RESOURCES) declare(v1, { context, baseUrl, rateLimits, admission })
      closePaths()
    },
    { prefix: VERSION_PREFIX },
  )
  return app
}

function readBodiesAsJson(app: FastifyInstance, admission: Admission) {
  app.removeAllContentTypeParsers()
  // Kept as bytes here: an error thrown by a parser would cost the client its connection. The usual types by name: for any
  // other, Fastify parses the header each time.
  const types = ['application/json', 'application/merge-patch+json', '*']
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRoute', (route) => {
    const body = route.config?.operation?.body
    if (!body) return
    const fields = fieldNames(body)
    route.preValidation = (request, reply, done) => {
      // The body took a while: by now there may be too many requests.
      if (admission.isFull) return admission.reject(reply)
      admission.enter(request)
      request.body = parseJson(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0), fields)
      return done()
    }
  })
}

function openApiRoute(app: FastifyInstance) {
  let text = ''
  app.addHook('onReady', async () => {
    text = documentText(app.describe())
  })
  app.get('/openapi.json', (_request, reply) => reply.respond(200, text))
}

/** What happens to every request, whichever route it takes. */
function handleAllRequests(app: FastifyInstance, { logger, corsOrigins, addressLimit }: AppOptions) {
  const cors = { origins: new Set(corsOrigins), methods: '', changeMethods: '' }
  app.addHook('onReady', async () => {
    Object.assign(cors, corsMethods(app.operations))
  })
  app.addHook('onRequest', (request, reply, done) => {
    request.begun = performance.now()
    request.route = request.routeOptions
    if (cors.origins.size > 0) allowOrigin(cors, request, reply)
    const fault = faultInHead(request.raw)
    // What follows on the connection may mean something else to a client that frames requests like this.
    if (fault) request.isLast = true
    done(fault)
  })

  app.setErrorHandler((error, request, reply) => {
    const body = toErrorBody(error)
    // Only guesses count. A page can make every browser of an office send requests without the header, and block the office.
    if (body.status === 401 && request.headers.authorization !== undefined) addressLimit?.noteFailure(request)
    request.failure = { code: body.code, reason: body.status >= 500 ? reasonOf(error) : undefined }
    // An unexpected error is logged with its stack; for the others the line of the response is enough.
    if (body.code === 'internal_error') logger.error({ requestId: request.id, err: error }, body.code)
    reply.respond(body.status, JSON.stringify(body), errorHeaders(body, error, request.route.config.operation))
  })
}
