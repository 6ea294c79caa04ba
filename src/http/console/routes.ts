import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SECURITY_POLICY } from '../docs/route.ts'
import { requireKey, storeOfKey } from '../gate/auth.ts'
import { enter, type Guards, guardPublic, identify, ignoreBody } from '../gate/gate.ts'
import { trackPaths } from '../gate/paths.ts'
import {
  clearedSessionCookie,
  dropSession,
  isSameOrigin,
  replaceSession,
  requireSession,
  sessionCookieOf,
  storeOfSession,
} from '../gate/sessions.ts'
import { RequestError, toErrorBody } from '../wire/errors.ts'
import { keyBody } from '../wire/key-body.ts'
import { type ConsoleFiles, encodedFor } from './files.ts'

const PATH = '/console'
const SESSION = `${PATH}/session`
/** The names of these files have a hash of their content. */
const HASHED = 'assets/'
const FOREVER = ['cache-control', 'public, max-age=31536000, immutable', 'x-content-type-options', 'nosniff']

// Scripts can't turn text into markup or code, whatever the name of a pet is, and no other page gets a reference to this one.
const SECURITY_HEADERS = [
  'content-security-policy',
  `${SECURITY_POLICY}; require-trusted-types-for 'script'; trusted-types 'none'`,
  'cross-origin-opener-policy',
  'same-origin',
  'cross-origin-resource-policy',
  'same-origin',
  'referrer-policy',
  'no-referrer',
]

export interface ConsoleOptions {
  /** The files of `/console`; undefined if it is not built. */
  consoleFiles: ConsoleFiles | undefined
  /** When the store closes, as `HH:MM`. */
  closingTime: string
  /** Whom to ask, which is public; undefined if the operator has not said so. */
  securityContact?: string | undefined
}

/** The console for people: its files and sessions. Everything else it does through /v1. */
export function consoleRoutes(app: FastifyInstance, guards: Guards, options: ConsoleOptions) {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.addHeaders(...SECURITY_HEADERS)
    done()
  })
  app.register(async (session) => sessionRoutes(session, guards, options))
  const { consoleFiles: files } = options
  if (files) app.register(async (open) => fileRoutes(open, guards, files))
}

function fileRoutes(app: FastifyInstance, { stores }: Guards, files: ConsoleFiles) {
  guardPublic(app, stores)
  const closePaths = trackPaths(app)
  app.get(PATH, (request, reply) => serve(files, '', request, reply))
  app.get<{ Params: { '*': string } }>(`${PATH}/*`, (request, reply) =>
    serve(files, request.params['*'], request, reply),
  )
  closePaths()
}

/** Paths without a file are screens of the page, which reads the path itself. */
function serve({ page, byPath }: ConsoleFiles, path: string, request: FastifyRequest, reply: FastifyReply) {
  const isHashed = path.startsWith(HASHED)
  const file = byPath.get(path) ?? page
  // The page in place of a script would hide that the script is gone.
  if (isHashed && file === page)
    throw new RequestError('route_not_found', 'This file is not part of the console any more. Reload the page.')
  const { content, encoding } = encodedFor(file, request.headers['accept-encoding'])
  const headers = ['vary', 'accept-encoding', ...(encoding === undefined ? [] : ['content-encoding', encoding])]
  reply.respond(200, content, headers, file.type, isHashed ? FOREVER : undefined)
}

function sessionRoutes(
  app: FastifyInstance,
  guards: Guards,
  { closingTime, securityContact: contact }: ConsoleOptions,
) {
  const { addressLimit, admission, stores, rateLimits } = guards
  // Before a key is read: an address that guesses is blocked here as it is under /v1.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS' || !addressLimit?.rejects(request, reply)) done()
  })
  guardPublic(app, stores)
  const closePaths = trackPaths(app)
  // Nothing here has a body.
  const options = {
    onRequest: (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      // Signing in acts on the key, whatever cookie comes with it; all else on the cookie.
      const { address } = (request.method === 'POST' ? storeOfKey : storeOfSession)(request, stores)
      if (admission.isFull(address)) return admission.reject(reply, address)
      ignoreBody(request)
      return done()
    },
  }
  const bodyOf = (request: FastifyRequest, endsAt: Date) => {
    const { principal } = request
    const key = keyBody(principal.key, rateLimits.limitOf(principal))
    // Without one, a test key is of the live store.
    const isSandbox = request.store.address === 'test' || undefined
    return JSON.stringify({ key, isSandbox, endsAt: endsAt.toISOString(), closingTime, contact })
  }
  // A person without a key wants to know whom to ask for one.
  const signedOut = JSON.stringify({ key: null, contact })

  app.post(SESSION, options, async (request, reply) => {
    requireSameOrigin(request)
    const identified = await requireKey(request, guards)
    const { principal } = identified
    enter(request, identified, admission)
    const usage = await rateLimits.spend(principal, reply)
    if (usage?.isOver) return rateLimits.reject(usage, reply)
    const { cookie, endsAt } = await replaceSession(identified, sessionCookieOf(request), stores)
    reply.respond(201, bodyOf(request, endsAt), ['set-cookie', cookie])
  })

  app.get(SESSION, options, async (request, reply) => {
    const cookie = sessionCookieOf(request)
    const session = cookie === undefined ? undefined : await sessionIfAny(request, cookie, guards)
    if (!session) return reply.respond(200, signedOut)
    identify(request, session)
    reply.respond(200, bodyOf(request, session.endsAt))
  })

  app.delete(SESSION, options, async (request, reply) => {
    requireSameOrigin(request)
    const cookie = sessionCookieOf(request)
    if (cookie !== undefined) await dropSession(request, cookie, guards)
    reply.respond(204, undefined, ['set-cookie', clearedSessionCookie()])
  })
  closePaths()
}

/** Undefined if the session is not valid: to be signed out is not an error. */
async function sessionIfAny(request: FastifyRequest, cookie: string, guards: Guards) {
  try {
    return await requireSession(request, cookie, guards)
  } catch (error) {
    if (toErrorBody(error).status !== 401) throw error
    return undefined
  }
}

/** Another page must not be able to sign a browser in with a key of its own, nor sign it out. */
function requireSameOrigin(request: FastifyRequest) {
  if (!isSameOrigin(request))
    throw new RequestError(
      'cross_site_request',
      'Only the page of the console can sign in and out. Open /console in a browser.',
    )
}
