import type { FastifyReply, FastifyRequest } from 'fastify'

const EXPOSED =
  'Link, Location, Request-Id, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Idempotent-Replayed, Petstore-Key-Expires'
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Request-Id'
const PREFLIGHT_MAX_AGE = '7200'

interface Cors {
  origins: ReadonlySet<string>
  /** The methods of the operations; and those where a path can be changed. */
  methods: string
  changeMethods: string
}

/** Lets pages of the configured origins send requests. With no origin configured, none may. */
export function allowOrigin({ origins, methods, changeMethods }: Cors, request: FastifyRequest, reply: FastifyReply) {
  // Also on responses to other origins: a cache must not give one origin's response to another.
  reply.addHeaders('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !origins.has(origin)) return
  const { operation, acceptPatch } = request.route.config
  // Only where they mean something: responses of the other operations stay as they were.
  const exposed = operation?.conditional ? `${EXPOSED}, ETag` : EXPOSED
  reply.addHeaders('access-control-allow-origin', origin, 'access-control-expose-headers', exposed)
  if (request.method !== 'OPTIONS') return
  reply.addHeaders('access-control-allow-methods', acceptPatch ? changeMethods : methods)
  reply.addHeaders('access-control-allow-headers', acceptPatch ? `${ALLOWED_HEADERS}, If-Match` : ALLOWED_HEADERS)
  reply.addHeaders('access-control-max-age', PREFLIGHT_MAX_AGE)
}

/** The methods that a page may use: those of the operations, and HEAD, which comes with GET. */
export function corsMethods(operations: readonly { method: string; conditional?: boolean }[]) {
  const methodsOf = (those: readonly { method: string }[]) =>
    [...new Set(those.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method)))].join(', ')
  return {
    methods: methodsOf(operations.filter(({ conditional }) => !conditional)),
    changeMethods: methodsOf(operations),
  }
}
