import type { FastifyReply, FastifyRequest } from 'fastify'

const EXPOSED =
  'Link, Location, Request-Id, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Idempotent-Replayed, Petstore-Key-Expires'
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Request-Id'
const PREFLIGHT_MAX_AGE = '7200'

/** Lets pages of the configured origins call us. With no origin configured, none may. */
export function allowOrigin(origins: ReadonlySet<string>, request: FastifyRequest, reply: FastifyReply) {
  // Also on answers to other origins: a cache must not give one origin's answer to another.
  reply.foretell('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !origins.has(origin)) return
  reply.foretell('access-control-allow-origin', origin, 'access-control-expose-headers', EXPOSED)
  if (request.method !== 'OPTIONS') return
  reply.foretell('access-control-allow-methods', 'GET, HEAD, POST')
  reply.foretell('access-control-allow-headers', ALLOWED_HEADERS)
  reply.foretell('access-control-max-age', PREFLIGHT_MAX_AGE)
}
