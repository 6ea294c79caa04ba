import type { FastifyReply, FastifyRequest } from 'fastify'

const EXPOSED =
  'Link, Location, Request-Id, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Idempotent-Replayed, Petstore-Key-Expires'
// Only where there is one: responses of the other operations stay as they were.
const EXPOSED_WITH_ETAG = `${EXPOSED}, ETag`
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, Request-Id'
const PREFLIGHT_MAX_AGE = '7200'

/** Lets pages of the configured origins send requests. With no origin configured, none may. */
export function allowOrigin(
  { origins, methods }: { origins: ReadonlySet<string>; methods: string },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  // Also on responses to other origins: a cache must not give one origin's response to another.
  reply.addHeaders('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !origins.has(origin)) return
  const exposed = request.route.config.operation?.conditional ? EXPOSED_WITH_ETAG : EXPOSED
  reply.addHeaders('access-control-allow-origin', origin, 'access-control-expose-headers', exposed)
  if (request.method !== 'OPTIONS') return
  reply.addHeaders('access-control-allow-methods', methods)
  reply.addHeaders('access-control-allow-headers', ALLOWED_HEADERS)
  reply.addHeaders('access-control-max-age', PREFLIGHT_MAX_AGE)
}

/** The methods that a page may use: those of the operations, and HEAD, which comes with GET. */
export function corsMethods(operations: readonly { method: string }[]) {
  const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method))
  return [...new Set(methods)].join(', ')
}
