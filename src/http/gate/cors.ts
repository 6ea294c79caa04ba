import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../wire/errors.ts'

const EXPOSED =
  'Link, Location, Request-Id, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Idempotent-Replayed, Petstore-Key-Expires'
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Request-Id, traceparent'
const MCP_PATH = '/v1/mcp'
const MCP_HEADERS = 'MCP-Protocol-Version, Mcp-Method, Mcp-Name'
const PREFLIGHT_MAX_AGE = '7200'

interface Cors {
  origins: ReadonlySet<string>
  /** The methods of the operations, and those of paths that have PATCH. */
  methods: string
  changeMethods: string
}

/** Lets pages of the configured origins send requests. With none configured, no page may. */
export function allowOrigin({ origins, methods, changeMethods }: Cors, request: FastifyRequest, reply: FastifyReply) {
  // Also on responses to other origins: a cache must not give one origin's response to another.
  reply.addHeaders('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !origins.has(origin)) return
  const { operation, acceptPatch } = request.route.config
  const headers = operation?.success.headers
  // Only where the header has a meaning: other responses stay unchanged.
  const hasTag = operation?.conditional || headers?.includes('ETag')
  const isSearch = headers?.includes('SearchIncomplete') && Object.hasOwn(request.query as object, 'name')
  const exposed = `${EXPOSED}${hasTag ? ', ETag' : ''}${isSearch ? ', Petstore-Search-Incomplete' : ''}`
  reply.addHeaders('access-control-allow-origin', origin, 'access-control-expose-headers', exposed)
  if (request.method !== 'OPTIONS') return
  reply.addHeaders('access-control-allow-methods', acceptPatch ? changeMethods : methods)
  reply.addHeaders('access-control-allow-headers', [ALLOWED_HEADERS, ...furtherHeaders(request)].join(', '))
  reply.addHeaders('access-control-max-age', PREFLIGHT_MAX_AGE)
}

/** Only where they mean something. */
function furtherHeaders({ route }: FastifyRequest) {
  if (route.config.acceptPatch) return ['If-Match', 'If-None-Match']
  return route.url === MCP_PATH ? [MCP_HEADERS] : []
}

/**
 * Rejects pages of other origins, which CORS would only keep from reading the response. A page that points its own host name here (DNS
 * rebinding) has the same origin for the browser, but still sends that name.
 */
export function requireOrigin({ headers }: FastifyRequest, origins: ReadonlySet<string>) {
  const { origin } = headers
  if (origin === undefined || origins.has(origin)) return
  throw new RequestError(
    'origin_not_allowed',
    'Pages of this origin may not call this. Call it from a program, or ask the operator to add the origin to CORS_ORIGINS.',
  )
}

/** The methods that a page may use: those of the operations, and HEAD, which comes with GET. */
export function corsMethods(operations: readonly { method: string; path: string }[]) {
  const changing = new Set(operations.filter(({ method }) => method === 'PATCH').map(({ path }) => path))
  const methodsOf = (those: readonly { method: string }[]) =>
    [...new Set(those.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method)))].join(', ')
  return {
    methods: methodsOf(operations.filter(({ path }) => !changing.has(path))),
    changeMethods: methodsOf(operations),
  }
}
