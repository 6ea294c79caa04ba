import type { FastifyInstance } from 'fastify'
import { METHODS } from '../../node/http.ts'
import { ACCEPT_PATCH } from '../wire/headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The methods of a path; set on the routes that respond to every other method. */
    allow?: string
    /** The media types of a PATCH, on the same routes if the path has one. */
    acceptPatch?: string
  }
}

// The order in which `Allow` lists them.
const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Watches which paths the routes of this scope have. Returns a function that adds what every path has besides: OPTIONS and 405. */
export function trackPaths(app: FastifyInstance) {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ path, method }) => {
    const methods = methodsOf.get(path) ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    methodsOf.set(path, methods)
  })
  return () => {
    const known = new Map(methodsOf) // closing a path declares routes too
    for (const [path, methods] of known) closePath(app, path, methods)
  }
}

function closePath(app: FastifyInstance, path: string, methods: ReadonlySet<string>) {
  const allow = [...ORDER.filter((method) => methods.has(method)), 'OPTIONS'].join(', ')
  const others = app.supportedMethods.filter((method) => !methods.has(method))
  const url = path.slice(app.prefix.length)
  const config = { allow, ...(methods.has('PATCH') && { acceptPatch: ACCEPT_PATCH }) }
  app.route({ method: others, url, config, handler: unreachable })
}

/** Makes the hooks of this scope run for unknown paths too. The gate rejects them all. */
export function handleUnknownPaths(app: FastifyInstance) {
  app.setNotFoundHandler(unreachable)
}

function unreachable(): never {
  throw new Error('the gate passed a request that it should have rejected')
}

/** Fastify knows some of the methods that Node reads; a path must respond with 405 to the others too. */
export function supportAllMethods(app: FastifyInstance) {
  const unknown = METHODS.filter((method) => method !== 'CONNECT' && !app.supportedMethods.includes(method))
  for (const method of unknown) app.addHttpMethod(method, { hasBody: true })
}
