import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticate, requireScope } from '../../domain/keys.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Store } from '../../domain/store.ts'
import type { Stores } from '../../domain/stores.ts'
import { ClientDisconnected } from '../../lib/batch.ts'
import type { KeyMode } from '../../lib/ids/key-format.ts'
import type { Usage } from '../../lib/rate-limit.ts'
import type { RequestTrace, Tracing } from '../../telemetry/tracing.ts'
import { continueBody } from '../server/connection.ts'
import { RequestError } from '../wire/errors.ts'
import { hasBody } from '../wire/headers.ts'
import { requireJsonBody } from '../wire/media-type.ts'
import type { AddressLimit } from './address-limit.ts'
import type { Admission } from './admission.ts'
import { type Identified, rejectKeyInUrl, requireKeyMode, tokenOf } from './auth.ts'
import { requireOrigin } from './cors.ts'
import { pathMeant } from './meant-path.ts'
import type { RateLimits } from './rate-limits.ts'
import { locateSession, requireSession, sessionCookieOf } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every request that has passed the gate of /v1. */
    principal: Principal
    /** The store that the key of the request belongs to. Set together with `principal`. */
    store: Store
    /** Set for the few requests that are traced. */
    trace: RequestTrace | undefined
  }
}

/** What a request passes before any work is done for it. Each may reject it. */
export interface Guards {
  /** Where keys and sessions are looked up. Only the gate uses them; everything after it uses the store of the request. */
  stores: Stores
  admission: Admission
  rateLimits: RateLimits
  keyMode: KeyMode | 'any'
  /** Whether people may sign in to the console, which sends a cookie in place of a key. */
  hasConsole: boolean
  /** Comes first, so that a trace contains the whole gate. */
  tracing?: Tracing | undefined
  /** Only where failed authentication is limited. */
  addressLimit?: AddressLimit | undefined
}

/** Decides everything that can be decided before the body is read, in the order of the contract. */
export function guardVersion1(app: FastifyInstance, guards: Guards) {
  const { stores, admission, addressLimit, keyMode, hasConsole, tracing } = guards
  // Not an async function: for a key in use everything here is synchronous, and a promise would cost more than it does.
  app.addHook('onRequest', (request, reply, done) => {
    if (tracing) request.trace = tracing.begin(request)
    if (isOptions(request)) return sendOptions(reply)
    // Before the key: a page must not learn about keys, or use up their limits.
    const { operation } = request.route.config
    if (operation?.origins) requireOrigin(request, operation.origins)
    if (addressLimit?.rejects(request, reply)) return
    rejectKeyInUrl(request, stores)
    if (hasConsole && request.headers.authorization === undefined) {
      const cookie = sessionCookieOf(request)
      if (cookie !== undefined) return admitSession(cookie, request, reply, guards)
    }
    const token = tokenOf(request.raw)
    requireKeyMode(token, keyMode)
    const store = stores.ofKey(token)
    if (admission.isFull(store.address)) return rejectOverload(token, reply, store, guards)
    // Other requests are admitted once their key was looked up: made-up keys use up no capacity, and lookups have their own limit.
    if (store.keys.isInUse(token)) admission.enter(request, store.address)
    const principal = authenticate(store, token, request)
    // Fastify waits for the promise if there is one, else for `done`.
    if (principal instanceof Promise)
      return principal.then((found) => admit({ principal: found, store }, request, reply, guards))
    return admit({ principal, store }, request, reply, guards) ?? done()
  })
}

/** A session is looked up before it takes a place, as a key is. Then it is as good as its key. */
function admitSession(cookie: string, request: FastifyRequest, reply: FastifyReply, guards: Guards) {
  const { admission, stores } = guards
  const { address } = locateSession(cookie, stores).store
  if (admission.isFull(address)) return admission.reject(reply, address)
  return requireSession(request, cookie, guards).then((session) => admit(session, request, reply, guards))
}

/** A wrong key is reported first, as always, unless that needs a query. */
function rejectOverload(token: string, reply: FastifyReply, store: Store, { admission }: Guards) {
  // Throws if the key is wrong. If its row has become stale meanwhile, the query that refreshes it is not awaited.
  if (store.keys.isCached(token)) Promise.resolve(authenticate(store, token)).catch(() => {})
  admission.reject(reply, store.address)
}

/** Takes a place for a request, unless it has one. If none is left, the response names its store, but the log no key. */
export function enter(request: FastifyRequest, identified: Identified, admission: Admission) {
  request.store = identified.store
  if (request.admittedTo === undefined) admission.enter(request, identified.store.address)
  identify(request, identified)
}

/** The only place where a request gets its principal, and with it the store that knows its key. */
export function identify(request: FastifyRequest, { principal, store }: Identified) {
  request.principal = principal
  request.store = store
}

/** Returns a promise only where Redis counts the limit of the key. */
function admit(identified: Identified, request: FastifyRequest, reply: FastifyReply, guards: Guards) {
  enter(request, identified, guards.admission)
  const usage = guards.rateLimits.spend(identified.principal, reply)
  if (usage instanceof Promise) return usage.then((counted) => checkRoute(counted, request, reply, guards))
  return checkRoute(usage, request, reply, guards)
}

function checkRoute(
  usage: Usage | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  { admission, rateLimits }: Guards,
) {
  rejectUnrouted(request, reply)
  const { operation } = request.route.config
  if (operation?.scope) requireScope(request.principal, operation.scope)
  if (operation?.alsoScope) requireScope(request.principal, operation.alsoScope)
  if (usage?.isOver) return rateLimits.reject(usage, reply)
  if (operation?.deprecated) request.store.deprecatedCalls.count(operation.id, request.principal.keyId)
  // Fastify would wait for ever for a stream that was destroyed meanwhile, and for a body that only its type announces.
  if (request.raw.destroyed && hasBody(request.raw))
    throw new ClientDisconnected('the connection ended before the request was admitted')
  if (operation?.body) requireJsonBody(request.raw)
  if (!operation?.body) return ignoreBody(request)
  if (!hasBody(request.raw)) delete request.raw.headers['content-type']
  continueBody(request.raw, reply.raw)
  // No work is done until the whole body has arrived: a slow sender must not use up capacity.
  admission.leave(request)
}

/** Fastify would read a body that the operation does not have. It stays unread, and the connection ends with the response. */
export function ignoreBody(request: FastifyRequest) {
  if (hasBody(request.raw)) request.headers = WITHOUT_BODY
  else delete request.raw.headers['content-type']
}

// Fastify prefers these to the headers that were sent.
const WITHOUT_BODY = { 'content-type': undefined, 'content-length': undefined, 'transfer-encoding': undefined }

/** For the paths outside of /v1, which need no key. */
export function guardPublic(app: FastifyInstance, stores: Stores) {
  app.addHook('onRequest', async (request, reply) => {
    if (isOptions(request)) return sendOptions(reply)
    rejectKeyInUrl(request, stores)
    rejectUnrouted(request, reply)
  })
}

/** Responds before any of a body is read. */
function sendOptions(reply: FastifyReply) {
  const { allow, acceptPatch } = reply.request.route.config
  reply.respond(204, undefined, [
    ...(allow === undefined ? [] : ['allow', allow]),
    ...(acceptPatch === undefined ? [] : ['accept-patch', acceptPatch]),
  ])
}

function isOptions({ method, is404 }: FastifyRequest) {
  return method === 'OPTIONS' && !is404
}

function rejectUnrouted(request: FastifyRequest, reply: FastifyReply) {
  if (request.is404) throw routeNotFound(request)
  const { allow } = request.route.config
  if (allow === undefined) return
  reply.addHeaders('allow', allow)
  throw new RequestError('method_not_allowed', `${request.method} is not allowed on this path. Allowed: ${allow}.`)
}

function routeNotFound({ raw: { url = '' }, server }: FastifyRequest) {
  const paths = server.operations.map(({ path }) => path)
  // With MCP=off it is not served.
  if (server.hasRoute({ method: 'POST', url: '/v1/mcp' })) paths.push('/mcp')
  const meant = pathMeant(url, paths)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return new RequestError(
    'route_not_found',
    `Nothing is served at this path.${hint} See /openapi.json for the paths that exist.`,
  )
}
