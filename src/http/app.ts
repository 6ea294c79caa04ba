import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Context } from '../domain/context.ts'
import type { Readiness } from '../domain/readiness.ts'
import { deprecationRoutes } from './deprecations/routes.ts'
import { DeprecatedUse, DeprecatedUses } from './deprecations/schemas.ts'
import { docsRoutes } from './docs/route.ts'
import type { Admission } from './gate/admission.ts'
import { allowOrigin } from './gate/cors.ts'
import { type Guards, guardPublic, guardVersion1, knowAllMethods } from './gate/gate.ts'
import { healthRoutes } from './health.ts'
import { keyRoutes } from './keys/routes.ts'
import { Key } from './keys/schemas.ts'
import { describeRoutes, openApiRoute } from './openapi/document.ts'
import { ErrorSchema } from './openapi/error-schema.ts'
import { petRoutes } from './pets/routes.ts'
import { NewPet, Pet, PetStatus, Pets } from './pets/schemas.ts'
import { securityTxtRoute } from './security-txt.ts'
import { guardConnections } from './server/connection.ts'
import { escapeBadEncoding, faultInHead, MAX_HEAD_BYTES } from './server/framing.ts'
import { errorHeaders, reasonOf, STATUS_OF, toErrorBody } from './wire/errors.ts'
import { requestIdOf } from './wire/headers.ts'
import { parseJson } from './wire/json.ts'
import { MAX_BODY_BYTES } from './wire/media-type.ts'
import { answerInOneVoice, type Voice } from './wire/reply.ts'
import { buildSerializer } from './wire/serialization.ts'
import { validatorCompiler } from './wire/validation.ts'

export interface AppOptions extends Voice, Guards {
  logger: Pick<FastifyBaseLogger, 'info' | 'error'>
  version: string
  publicBaseUrl?: string | undefined
  corsOrigins: readonly string[]
  securityContact?: string | undefined
  readiness: Readiness
}

declare module 'fastify' {
  interface FastifyRequest {
    /** `routeOptions`, which Fastify makes anew for everyone who asks. */
    route: FastifyRequest['routeOptions']
    /** When its head was there, by the clock of `performance`. */
    begun: number
  }
}

const VERSION_PREFIX = '/v1'

// A request must arrive whole within four seconds; who is late is looked up twice a second.
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
  }).withTypeProvider<TypeBoxTypeProvider>()

  guardConnections(app.server, (code, requestId) => {
    options.metrics?.observe(undefined, STATUS_OF[code], 0)
    options.logger.info({ requestId, code, status: STATUS_OF[code] }, 'refused')
  })
  knowAllMethods(app)
  app.setValidatorCompiler(validatorCompiler)
  const schemas = [ErrorSchema, PetStatus, NewPet, Pet, Pets, Key, DeprecatedUse, DeprecatedUses]
  for (const schema of schemas) app.addSchema(schema)
  app.decorateRequest('principal')
  app.decorateRequest('route')
  app.decorateRequest('begun', 0)
  app.decorateRequest('isLast', false)
  app.decorateRequest('isAdmitted', false)
  app.decorateRequest('failure')
  app.decorateRequest('trace')
  readBodiesAsJson(app, options.admission)
  answerInOneVoice(app, baseUrl, options)
  treatAllAlike(app, options)

  describeRoutes(app, VERSION_PREFIX, baseUrl)
  app.register(async (open) => {
    guardPublic(open, options.exposedKeys)
    healthRoutes(open, options)
    openApiRoute(open)
    docsRoutes(open, baseUrl)
    if (options.securityContact) securityTxtRoute(open, options.securityContact, options.publicBaseUrl)
  })
  app.register(
    async (v1) => {
      guardVersion1(v1, context, options)
      await v1.register(petRoutes, { context, baseUrl })
      await v1.register(keyRoutes, { rateLimits: options.rateLimits })
      await v1.register(deprecationRoutes, { context, baseUrl })
    },
    { prefix: VERSION_PREFIX },
  )
  return app
}

function readBodiesAsJson(app: FastifyInstance, admission: Admission) {
  app.removeAllContentTypeParsers()
  // Kept as bytes here: an error thrown by a parser would cost the caller its connection. The usual type by name: for any
  // other Fastify takes the header apart, each time.
  app.addContentTypeParser(['application/json', '*'], { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRoute', (route) => {
    if (!route.config?.takesBody) return
    const fields = Object.keys(NewPet.properties)
    route.preValidation = (request, reply, done) => {
      // Its body took a while: by now there may be too many.
      if (admission.isFull) return admission.refuse(reply)
      admission.enter(request)
      request.body = parseJson((request.body as Buffer | undefined) ?? Buffer.alloc(0), fields)
      return done()
    }
  })
}

/** What is done with every request, whichever route it takes. */
function treatAllAlike(app: FastifyInstance, { logger, corsOrigins, addressBar }: AppOptions) {
  const origins = new Set(corsOrigins)
  app.addHook('onRequest', (request, reply, done) => {
    request.begun = performance.now()
    request.route = request.routeOptions
    if (origins.size > 0) allowOrigin(origins, request, reply)
    const fault = faultInHead(request.raw)
    // Whoever frames requests like this may mean something else by what follows.
    if (fault) request.isLast = true
    done(fault)
  })

  app.setErrorHandler((error, request, reply) => {
    const body = toErrorBody(error)
    // Only guesses count. A page can make every browser of an office send requests without the header, and bar the office.
    if (body.status === 401 && request.headers.authorization !== undefined) addressBar?.noteFailure(request)
    request.failure = { code: body.code, reason: body.status >= 500 ? reasonOf(error) : undefined }
    // Of what was not foreseen all that there is; of all else its line says enough.
    if (body.code === 'internal_error') logger.error({ requestId: request.id, err: error }, body.code)
    reply.answer(body.status, JSON.stringify(body), errorHeaders(body, request.route.config.scope))
  })
}
