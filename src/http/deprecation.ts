import type { FastifyRequest } from 'fastify'
import { parseInt64 } from '../lib/int64.ts'

declare module 'fastify' {
  interface FastifySchema {
    'x-sunset'?: string
    'x-deprecated-sunset'?: string
  }
}

/** getPet: announced on 14 November 2026 (RFC 9745), gone on 5 December 2030 (RFC 8594). No clock ever switches it off. */
export const SUNSET = '2030-12-05'

/** The headers that say on every answer of getPet, whatever its status, that it will go and what replaces it. */
export function announcementOfEnd(baseUrl: string) {
  const pets = `${baseUrl}/pets`
  const docs = `<${baseUrl.replace(/\/v1$/, '')}/docs#get-pet>; rel="deprecation"; type="text/html"`
  const dates = ['deprecation', '@1794614400', 'sunset', 'Thu, 05 Dec 2030 00:00:00 GMT']
  return ({ params }: FastifyRequest) => {
    // Text, unless it has been found to be an id.
    const { petId } = params as { petId: string | bigint }
    const isId = typeof petId === 'bigint' || parseInt64(petId) !== undefined
    const successor = isId ? `${pets}?id=${petId}` : pets
    return dates.concat('link', `${docs}, <${successor}>; rel="successor-version"`)
  }
}
