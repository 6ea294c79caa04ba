import type { FastifyInstance } from 'fastify'

const PATH = '/.well-known/security.txt'
const DAY_MS = 86_400_000
// RFC 9116 recommends less than a year.
const VALID_DAYS = 180

/** Where to report a vulnerability (RFC 9116). */
export function securityTxtRoute(app: FastifyInstance, contact: string, publicBaseUrl: string | undefined) {
  app.get(PATH, {
    handler: (_request, reply) =>
      reply.respond(200, securityTxt(contact, publicBaseUrl, Date.now()), [], 'text/plain; charset=utf-8'),
  })
}

/**
 * Expires counts from the request, not from the start of the process: one that runs for a year must not serve a date in the past. Rounded
 * to days, so that all processes agree.
 */
function securityTxt(contact: string, publicBaseUrl: string | undefined, now: number) {
  const today = now - (now % DAY_MS)
  const expires = new Date(today + VALID_DAYS * DAY_MS).toISOString().replace('.000', '')
  // Only a file at the root of an https host can be canonical.
  const canonical = publicBaseUrl?.startsWith('https:') ? [`Canonical: ${new URL(PATH, publicBaseUrl).href}`] : []
  return [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en', ...canonical, ''].join('\n')
}
