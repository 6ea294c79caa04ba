import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseInt64 } from '../lib/int64.ts'

declare module 'fastify' {
  interface FastifySchema {
    'x-sunset'?: string
    'x-deprecated-sunset'?: string
  }
}

/** getPet: announced on 14 November 2026 (RFC 9745), gone on 5 December 2030 (RFC 8594). No clock ever switches it off. */
export const SUNSET = '2030-12-05'

/** Says on every answer of getPet, whatever its status, that it will go and what replaces it. */
export function announceEnd(baseUrl: string, request: FastifyRequest, reply: FastifyReply) {
  const { petId } = request.params as { petId: string }
  const docs = `${baseUrl.replace(/\/v1$/, '')}/docs#get-pet`
  const successor = parseInt64(petId) === undefined ? `${baseUrl}/pets` : `${baseUrl}/pets?id=${petId}`
  reply.headers({
    deprecation: '@1794614400',
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    link: `<${docs}>; rel="deprecation"; type="text/html", <${successor}>; rel="successor-version"`,
  })
}
