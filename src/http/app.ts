import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Readiness } from '../domain/readiness.ts'
import type { WebhookSettings } from '../domain/webhooks.ts'
import type { ClientTimes } from '../lib/times.ts'
import { categories } from './categories/routes.ts'
import { fontStyleOf } from './console/files.ts'
import { type ConsoleOptions, consoleRoutes } from './console/routes.ts'
import { deprecations } from './deprecations/routes.ts'
import { docsRoutes } from './docs/route.ts'
import { events } from './events/routes.ts'
import type { Admission } from './gate/admission.ts'
import { allowOrigin, corsOf } from './gate/cors.ts'
import { type Guards, guardPublic, guardVersion1 } from './gate/gate.ts'
import { handleUnknownPaths, supportAllMethods, trackPaths } from './gate/paths.ts'
import { healthRoutes } from './health.ts'
import { keys } from './keys/routes.ts'
import { buildDocument, documentText } from './openapi/document.ts'
import type { Document } from './openapi/types.ts'
import { orders } from './orders/routes.ts'
import { pets } from './pets/routes.ts'
import { type DescribeFailure, decorateReply, failureDescriber, type Reporter } from './reply.ts'
import type { Resource } from './resource.ts'
import { securityTxtRoute } from './security-txt.ts'
import { guardConnections } from './server/connection.ts'
import { faultInHead, MAX_HEAD_BYTES, MAX_PATH_LENGTH, routableUrl } from './server/framing.ts'
import { serviceStatus } from './status/routes.ts'
import { webhooks } from './webhooks/routes.ts'
import { ERRORS } from './wire/error-codes.ts'
import { errorHeaders } from './wire/errors.ts'
import { requestIdOf } from './wire/headers.ts'
import { fieldNames, parseJson } from './wire/json.ts'
import { MAX_BODY_BYTES } from './wire/media-type.ts'
import { ErrorSchema } from './wire/schemas.ts'
import { Validator } from './wire/validation.ts'

/** The resources of /v1, in the order of the documentation. A new resource is one more line. */
const RESOURCES: Resource[] = [pets, categories, orders, events, webhooks, keys, deprecations, serviceStatus]

export interface AppOptions extends Reporter, Guards, ConsoleOptions {
  logger: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  version: string
  commit: string
  publicBaseUrl?: string | undefined
  corsOrigins: readonly string[]
  /** Whether agents may call operations as tools. */
  hasMcp: boolean
  readiness: Readiness
  webhookSettings: WebhookSettings
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of its operations. */
    describe: () => Document
  }
  interface FastifyRequest {
    /** `routeOptions`, which Fastify creates again for each access. */
    route: FastifyRequest['routeOptions']
    /** When its headers had arrived, by `performance.now()`. */
    begun: number
  }
}

export const VERSION_PREFIX = '/v1'

const limitsOf = ({ arrivalMs, sweepMs }: ClientTimes) => ({
  bodyLimit: MAX_BODY_BYTES,
  requestTimeout: arrivalMs,
  connectionTimeout: 72_000,
  http: {
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: arrivalMs,
    connectionsCheckingInterval: sweepMs,
    requireHostHeader: false,
    optimizeEmptyRequests: true,
  },
  // A path with bad percent-encoding triples in length when it is escaped.
  routerOptions: { maxParamLength: 3 * MAX_PATH_LENGTH },
})

/** The whole HTTP interface, the same in production and in tests. */
export function buildApp(options: AppOptions) {
  const baseUrl = options.publicBaseUrl ?? VERSION_PREFIX
  const app = Fastify({
    ...limitsOf(options.clientTimes),
    requestIdHeader: false,
    genReqId: requestIdOf,
    rewriteUrl: routableUrl,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Handlers print their responses. Fastify would load its serializer all the same.
    schemaController: { compilersFactory: { buildSerializer: () => () => JSON.stringify } },
  })

  guardConnections(app.server, options.clientTimes, (code, requestId) => {
    const { status } = ERRORS[code]
    options.metrics?.observe(undefined, status, 0)
    options.logger.info({ requestId, code, status }, 'rejected')
  })
  supportAllMethods(app)
  const schemas = [ErrorSchema, ...RESOURCES.flatMap((resource) => resource.schemas)]
  for (const schema of schemas) app.addSchema(schema)
  app.setValidatorCompiler(new Validator(schemas).compiler)
  app.decorate('operations', [])
  app.decorate('executions', new Map())
  app.decorateRequest('principal')
  app.decorateRequest('store')
  app.decorateRequest('route')
  app.decorateRequest('begun', 0)
  app.decorateRequest('isLast', false)
  app.decorateRequest('admittedTo')
  app.decorateRequest('failure')
  app.decorateRequest('trace')
  app.decorateRequest('tool')
  readBodiesAsJson(app, options.admission)
  decorateReply(app, baseUrl, options)
  const describeFailure = failureDescriber(options.logger)
  handleAllRequests(app, options, describeFailure)

  const facts = { baseUrl, version: options.version, tags: RESOURCES, schemas }
  app.decorate('describe', () => buildDocument(app.operations, facts))
  app.register(async (open) => {
    guardPublic(open, options.stores)
    handleUnknownPaths(open)
    const closePaths = trackPaths(open)
    healthRoutes(open, options)
    const { hasConsole, hasMcp, consoleFiles } = options
    docsRoutes(open, openApiRoute(open), { baseUrl, hasConsole, hasMcp, fontStyle: fontStyleOf(consoleFiles) })
    if (options.securityContact) securityTxtRoute(open, options.securityContact, options.publicBaseUrl)
    closePaths()
  })
  if (options.hasConsole) app.register(async (console) => consoleRoutes(console, options, options))
  app.register(
    async (v1) => {
      guardVersion1(v1, options)
      handleUnknownPaths(v1)
      const closePaths = trackPaths(v1)
      const { rateLimits, admission, webhookSettings, version, commit } = options
      const dependencies = { baseUrl, rateLimits, admission, webhookSettings, build: { version, commit } }
      for (const { declare } of RESOURCES) declare(v1, dependencies)
      if (options.hasMcp) {
        const { mcpRoute } = await import('./mcp/route.ts')
        mcpRoute(v1, options, describeFailure)
      }
      closePaths()
    },
    { prefix: VERSION_PREFIX },
  )
  return app
}

function readBodiesAsJson(app: FastifyInstance, admission: Admission) {
  app.removeAllContentTypeParsers()
  // Kept as bytes here: an error that a parser throws would cost the client its connection. The usual types are named, because Fastify
  // parses the header of any other each time.
  const types = ['application/json', 'application/merge-patch+json', '*']
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRoute', (route) => {
    const body = route.config?.operation?.body
    if (!body) return
    const fields = fieldNames(body)
    route.preValidation = (request, reply, done) => {
      // Reading the body took a while: too many requests may be in flight by now.
      const { address } = request.store
      if (admission.isFull(address)) return admission.reject(reply, address)
      admission.enter(request, address)
      request.body = parseJson(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0), fields)
      return done()
    }
  })
}

/** Serves the document. Returns a function that returns its text. */
function openApiRoute(app: FastifyInstance) {
  let text = ''
  app.addHook('onReady', async () => {
    text = documentText(app.describe())
  })
  app.get('/openapi.json', (_request, reply) => reply.respond(200, text))
  return () => text
}

/** Hooks and the error handler of every request, whichever its route. */
function handleAllRequests(
  app: FastifyInstance,
  { corsOrigins, addressLimit }: AppOptions,
  describeFailure: DescribeFailure,
) {
  const cors = { origins: new Set(corsOrigins), methods: '', changeMethods: '', revalidated: new Set<string>() }
  app.addHook('onReady', async () => {
    Object.assign(cors, corsOf(app.operations))
  })
  app.addHook('onRequest', (request, reply, done) => {
    request.begun = performance.now()
    request.route = request.routeOptions
    if (cors.origins.size > 0) allowOrigin(cors, request, reply)
    const fault = faultInHead(request.raw)
    // What follows on the connection may mean something else to a client that frames requests in this way.
    if (fault) request.isLast = true
    done(fault)
  })

  app.setErrorHandler((error, request, reply) => {
    const body = describeFailure(error, request)
    // Only guesses count. A page can make all browsers of an office send requests without the header, which must not block the office.
    if (body.status === 401 && request.headers.authorization !== undefined) addressLimit?.noteFailure(request)
    reply.respond(body.status, JSON.stringify(body), errorHeaders(body, error, request.route.config.operation))
  })
}
