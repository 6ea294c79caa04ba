import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ExposedKeys } from '../domain/exposed-keys.ts'
import { keysIn } from '../lib/key-format.ts'
import { Refusal } from './errors.ts'
import { countHeader } from './headers.ts'

const BEARER = /^bearer +(?=[^ ])/i

/** The key that this request brings. Only the Authorization header is asked: no query parameter, cookie or other header. */
export function tokenOf(request: IncomingMessage) {
  if (countHeader(request, 'authorization') > 1)
    throw new Refusal('invalid_credentials', 'The request has more than one Authorization header; send one.')
  const { authorization = '' } = request.headers
  const scheme = BEARER.exec(authorization)
  if (!scheme)
    throw new Refusal('missing_credentials', 'Send your API key in the header `Authorization: Bearer <API_KEY>`.')
  return authorization.slice(scheme[0].length)
}

/** An address gets into logs, histories and referrers on its way: a key that stood there is no secret any more. */
export function refuseKeyInAddress({ raw, id }: FastifyRequest, exposed: ExposedKeys) {
  const keys = keysIn(raw.url ?? '')
  if (keys.length === 0) return
  exposed.report(keys, id)
  throw new Refusal(
    'invalid_credentials',
    'An API key stands in the address of this call, where others can read it: it is exposed. Have the operator rotate it, and send the new one in the Authorization header only.',
  )
}
