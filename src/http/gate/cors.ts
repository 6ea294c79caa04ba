import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../wire/errors.ts'
import type { Operation } from '../wire/operation.ts'

const EXPOSED =
  'Link, Location, Request-Id, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Idempotent-Replayed, Petstore-Key-Expires, Petstore-Mode'
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Request-Id, traceparent'
const PREFIX = '/v1'
const MCP_PATH = `${PREFIX}/mcp`
const MCP_HEADERS = 'MCP-Protocol-Version, Mcp-Method, Mcp-Name'
const PREFLIGHT_MAX_AGE = '7200'

interface Cors {
  origins: ReadonlySet<string>
  /** The methods of the operations, and those of paths that have PATCH. */
  methods: string
  changeMethods: string
  /** Those that accept `If-None-Match`, of the paths that nothing changes. */
  revalidated: ReadonlySet<string>
}

/** Lets pages of the configured origins send requests. With none configured, no page may. */
export function allowOrigin({ origins, ...cors }: Cors, request: FastifyRequest, reply: FastifyReply) {
  // Also on responses to other origins: a cache must not give one origin's response to another.
  reply.addHeaders('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !origins.has(origin)) return
  const { operation, allow = '' } = request.route.config
  const headers = operation?.success.headers
  // Only where the header has a meaning: other responses stay unchanged.
  const hasTag = operation?.conditional || operation?.revalidated || headers?.includes('ETag')
  const isSearch = headers?.includes('SearchIncomplete') && Object.hasOwn(request.query as object, 'name')
  const exposed = `${EXPOSED}${hasTag ? ', ETag' : ''}${isSearch ? ', Petstore-Search-Incomplete' : ''}`
  reply.addHeaders('access-control-allow-origin', origin, 'access-control-expose-headers', exposed)
  if (request.method !== 'OPTIONS') return
  const path = pathKind(allow)
  const methods = { plain: cors.methods, patch: cors.changeMethods, put: allow }[path]
  reply.addHeaders('access-control-allow-methods', methods)
  reply.addHeaders('access-control-allow-headers', [ALLOWED_HEADERS, ...furtherHeaders(request, path, cors)].join(', '))
  reply.addHeaders('access-control-max-age', PREFLIGHT_MAX_AGE)
}

type PathKind = 'plain' | 'patch' | 'put'

/** By how things are changed at a path. The methods of one kind are not offered for another. */
function pathKind(methods: string): PathKind {
  if (methods.includes('PATCH')) return 'patch'
  return methods.includes('PUT') ? 'put' : 'plain'
}

/** Only where they mean something. */
function furtherHeaders({ route }: FastifyRequest, path: PathKind, { revalidated }: Pick<Cors, 'revalidated'>) {
  if (path !== 'plain') return ['If-Match', 'If-None-Match']
  if (revalidated.has(route.url ?? '')) return ['If-None-Match']
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

/** What a page may send: the methods of the operations, and HEAD, which comes with GET; and where `If-None-Match` has a meaning. */
export function corsOf(operations: readonly Pick<Operation, 'method' | 'path' | 'revalidated'>[]) {
  const pathsOf = (one: string) => new Set(operations.filter(({ method }) => method === one).map(({ path }) => path))
  const [patched, put] = [pathsOf('PATCH'), pathsOf('PUT')]
  const others = operations.filter(({ path }) => !put.has(path))
  const methodsOf = (those: readonly { method: string }[]) =>
    [...new Set(those.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method)))].join(', ')
  return {
    methods: methodsOf(others.filter(({ path }) => !patched.has(path))),
    changeMethods: methodsOf(others),
    revalidated: new Set(operations.filter(({ revalidated }) => revalidated).map(({ path }) => PREFIX + path)),
  }
}
