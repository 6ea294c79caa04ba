import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ExposedKeys } from '../../domain/exposed-keys.ts'
import { authenticate } from '../../domain/keys.ts'
import type { Store } from '../../domain/store.ts'
import { type KeyMode, keysIn } from '../../lib/ids/key-format.ts'
import { RequestError } from '../wire/errors.ts'
import { countHeader } from '../wire/headers.ts'

/** The prefix of the keys that a process for this mode rejects. */
const OTHER_PREFIX: Record<KeyMode, string> = { live: 'petk_test_', test: 'petk_live_' }

const BEARER = /^bearer +(?=[^ ])/i

/** The key of the request. Only the Authorization header counts: no query parameter, cookie or other header. */
export function tokenOf(request: IncomingMessage) {
  if (countHeader(request, 'authorization') > 1)
    throw new RequestError('invalid_credentials', 'The request has more than one Authorization header; send one.')
  const { authorization = '' } = request.headers
  const scheme = BEARER.exec(authorization)
  if (!scheme)
    throw new RequestError('missing_credentials', 'Send your API key in the header `Authorization: Bearer <API_KEY>`.')
  return authorization.slice(scheme[0].length)
}

/** A process may accept keys of one mode only. The prefix of a key states its mode, so a wrong one costs no lookup. */
export function requireKeyMode(token: string, mode: KeyMode | 'any') {
  if (mode === 'any' || !token.startsWith(OTHER_PREFIX[mode])) return
  throw new RequestError(
    'invalid_credentials',
    `This service accepts only ${mode} keys. Use a key that begins with petk_${mode}_.`,
  )
}

/** The principal of a request that does not pass the gate of /v1. */
export async function requireKey(
  request: FastifyRequest,
  { store, keyMode }: { store: Pick<Store, 'keys' | 'keyUses'>; keyMode: KeyMode | 'any' },
) {
  const token = tokenOf(request.raw)
  requireKeyMode(token, keyMode)
  return authenticate(store, token, request)
}

/** A URL gets into logs, histories and referrers on its way: a key in it is no secret any more. */
export function rejectKeyInUrl({ originalUrl, id }: FastifyRequest, exposed: ExposedKeys) {
  const keys = keysIn(originalUrl)
  if (keys.length === 0) return
  exposed.report(keys, id)
  throw new RequestError(
    'invalid_credentials',
    'The URL contains an API key. URLs are logged and shared, so treat this key as leaked and ask the operator to rotate it. Send the new one in the Authorization header only.',
  )
}
