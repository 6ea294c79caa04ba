import type { IncomingMessage } from 'node:http'
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
