import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../domain/context.ts'
import { recordDeprecatedCall } from '../../domain/deprecations.ts'
import { parseInt64 } from '../../lib/int64.ts'

declare module 'fastify' {
  interface FastifySchema {
    'x-sunset'?: string
    'x-deprecated-sunset'?: string
  }
}

/** getPet: announced on 14 November 2026 (RFC 9745), gone on 5 December 2030 (RFC 8594). No clock ever switches it off. */
export const SUNSET = '2030-12-05'

interface Deprecated {
  method: string
  path: string
  sunset: string
  successor: string
  /** Its section of the documentation page. */
  section: string
}

/** Every operation that is to go away, and what takes its place. */
export const DEPRECATED: Record<string, Deprecated> = {
  getPet: {
    method: 'GET',
    path: '/pets/{petId}',
    sunset: SUNSET,
    successor: '/pets?id={petId}',
    section: 'get-pet',
  },
}

export function documentationOf(baseUrl: string, section?: string) {
  const page = `${baseUrl.replace(/\/v1$/, '')}/docs`
  return section === undefined ? page : `${page}#${section}`
}

/** A hook for the route of a deprecated operation: counts who calls it, once the gate has let the call pass. */
export function countDeprecatedCalls(context: Context, operation: string) {
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    recordDeprecatedCall(context, request.principal, operation)
    done()
  }
}

/** The headers that say on every answer of getPet, whatever its status, that it will go and what replaces it. */
export function announcementOfEnd(baseUrl: string) {
  const pets = `${baseUrl}/pets`
  const docs = `<${documentationOf(baseUrl, 'get-pet')}>; rel="deprecation"; type="text/html"`
  const dates = ['deprecation', '@1794614400', 'sunset', 'Thu, 05 Dec 2030 00:00:00 GMT']
  return ({ params }: FastifyRequest) => {
    // Text, unless it has been found to be an id.
    const { petId } = params as { petId: string | bigint }
    const isId = typeof petId === 'bigint' || parseInt64(petId) !== undefined
    const successor = isId ? `${pets}?id=${petId}` : pets
    return dates.concat('link', `${docs}, <${successor}>; rel="successor-version"`)
  }
}
