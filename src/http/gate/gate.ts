import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../domain/context.ts'
import type { ExposedKeys } from '../../domain/exposed-keys.ts'
import { authenticate, requireScope } from '../../domain/keys.ts'
import type { Spent } from '../../domain/limits.ts'
import type { Principal, Scope } from '../../domain/principal.ts'
import { CallerGone } from '../../lib/batch.ts'
import { METHODS } from '../../lib/node-http.ts'
import { continueBody } from '../server/connection.ts'
import { Refusal } from '../wire/errors.ts'
import { hasBody } from '../wire/headers.ts'
import { requireJsonBody } from '../wire/media-type.ts'
import type { Tracing } from '../wire/tracing.ts'
import type { AddressBar } from './address-limit.ts'
import type { Admission } from './admission.ts'
import { refuseKeyInAddress, tokenOf } from './auth.ts'
import type { RateLimits } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every request that has passed the gate of /v1. */
    principal: Principal
  }
  interface FastifyContextConfig {
    /** What a key must be allowed to do. */
    scope?: Scope
    /** The operation reads a body. */
    takesBody?: boolean
    /** The methods of a path; set on the routes that answer every other method. */
    allow?: string
  }
}

/** Who meets a call before anything is done for it, and may refuse it. */
export interface Guards {
  admission: Admission
  rateLimits: RateLimits
  exposedKeys: ExposedKeys
  /** Hears of a call first, so that its trace has all that it meets here. */
  tracing?: Tracing | undefined
  /** Only where failed authentication is limited. */
  addressBar?: AddressBar | undefined
}

/** Decides everything that can be decided before the body is read, in the order that the contract lays down. */
export function guardVersion1(app: FastifyInstance, context: Context, guards: Guards) {
  const { admission, addressBar, exposedKeys, tracing } = guards
  // Not an async function: for a key in use all of this happens at once, and a promise would cost more than it does.
  app.addHook('onRequest', (request, reply, done) => {
    if (tracing) request.trace = tracing.begin(request)
    if (isOptions(request)) return tellOptions(reply)
    if (addressBar?.refuses(request, reply)) return
    refuseKeyInAddress(request, exposedKeys)
    if (admission.isFull) return turnAway(request, reply, context, admission)
    const token = tokenOf(request.raw)
    // Others only when their key has been looked up: made-up keys take nobody's place. Those have a bound of their own.
    if (context.keys.isInUse(token)) admission.enter(request)
    const principal = authenticate(context, token, request)
    // Fastify waits for the promise if there is one, else for `done`.
    if (principal instanceof Promise) return principal.then((found) => admit(found, request, reply, guards))
    return admit(principal, request, reply, guards) ?? done()
  })
  ownUnknownPaths(app)
}

/** A wrong key is told first, as ever, unless the database would have to be asked for it. */
function turnAway(request: FastifyRequest, reply: FastifyReply, context: Context, admission: Admission) {
  const token = tokenOf(request.raw)
  // Throws what is wrong with the key. Should it have become too old since, the database is asked after all, for nobody.
  if (context.keys.isAtHand(token)) Promise.resolve(authenticate(context, token)).catch(() => {})
  admission.refuse(reply)
}

/** A promise only where somebody else must be asked for the limit of the key. */
function admit(principal: Principal, request: FastifyRequest, reply: FastifyReply, guards: Guards) {
  if (!request.isAdmitted) guards.admission.enter(request)
  request.principal = principal
  const spent = guards.rateLimits.spend(principal, reply)
  if (spent instanceof Promise) return spent.then((told) => letIn(told, request, reply, guards))
  return letIn(spent, request, reply, guards)
}

function letIn(spent: Spent | undefined, request: FastifyRequest, reply: FastifyReply, guards: Guards) {
  const { admission, rateLimits } = guards
  const { scope, takesBody } = request.route.config
  refuseUnrouted(request, reply)
  if (scope) requireScope(request.principal, scope)
  if (spent?.isOver) return rateLimits.refuse(spent, reply)
  if (!takesBody) return
  // After a wait, Fastify would wait for the body for ever: nobody tells that a stream has ended twice.
  if (request.raw.destroyed && hasBody(request.raw))
    throw new CallerGone('the connection ended before the call was let in')
  requireJsonBody(request.raw)
  continueBody(request.raw, reply.raw)
  // Until all of its body is here nothing is done for it; who sends slowly takes no place from others.
  admission.leave(request)
}

/** For the paths outside of /v1, which need no key. */
export function guardPublic(app: FastifyInstance, exposed: ExposedKeys) {
  app.addHook('onRequest', async (request, reply) => {
    if (isOptions(request)) return tellOptions(reply)
    refuseKeyInAddress(request, exposed)
    refuseUnrouted(request, reply)
  })
  ownUnknownPaths(app)
}

/** Makes the hook above run for unknown paths too. It refuses them all. */
function ownUnknownPaths(app: FastifyInstance) {
  app.setNotFoundHandler(leftToTheHook)
}

function leftToTheHook(): never {
  throw new Error('the gate has let pass what it should have answered')
}

/** The answers that every published path gives beside its operations: OPTIONS, and 405 to any other method. */
export function closePath(app: FastifyInstance, url: string, ...methods: string[]) {
  const allow = [...methods, 'OPTIONS'].join(', ')
  const others = app.supportedMethods.filter((method) => !methods.includes(method))
  app.route({
    method: others,
    url,
    config: { allow },
    schema: { hide: true },
    handler: leftToTheHook,
  })
}

/** Fastify knows some of the methods that Node reads; a path must answer 405 to the others too. */
export function knowAllMethods(app: FastifyInstance) {
  const unknown = METHODS.filter((method) => method !== 'CONNECT' && !app.supportedMethods.includes(method))
  for (const method of unknown) app.addHttpMethod(method, { hasBody: true })
}

/** Before anything of a body is read. */
function tellOptions(reply: FastifyReply) {
  const { allow } = reply.request.route.config
  reply.answer(204, undefined, allow === undefined ? [] : ['allow', allow])
}

function isOptions({ method, is404 }: FastifyRequest) {
  return method === 'OPTIONS' && !is404
}

function refuseUnrouted(request: FastifyRequest, reply: FastifyReply) {
  if (request.is404)
    throw new Refusal('route_not_found', 'Nothing is served at this path. See /openapi.json for what is.')
  const { allow } = request.route.config
  if (allow === undefined) return
  reply.foretell('allow', allow)
  throw new Refusal('method_not_allowed', `${request.method} is not served at this path; it takes ${allow}.`)
}
