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
export function announcementOfEnd(baseUrl: string) {
  const pets = `${baseUrl}/pets`
  const docs = `<${baseUrl.replace(/\/v1$/, '')}/docs#get-pet>; rel="deprecation"; type="text/html"`
  return (request: FastifyRequest, reply: FastifyReply) => {
    const { petId } = request.params as { petId: string }
    const successor = parseInt64(petId) === undefined ? pets : `${pets}?id=${petId}`
    reply
      .header('deprecation', '@1794614400')
      .header('sunset', 'Thu, 05 Dec 2030 00:00:00 GMT')
      .header('link', `${docs}, <${successor}>; rel="successor-version"`)
  }
}
