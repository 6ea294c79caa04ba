import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { authenticate } from '../../domain/keys.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Store } from '../../domain/store.ts'
import type { Stores } from '../../domain/stores.ts'
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

/** The store of the key that the request brings, which may be no valid one. */
export function storeOfKey({ headers }: Pick<FastifyRequest, 'headers'>, stores: Stores) {
  return stores.ofKey(headers.authorization?.replace(BEARER, '') ?? '')
}

/** A process may accept keys of one mode only. The prefix of a key states its mode, so a wrong one costs no lookup. */
export function requireKeyMode(token: string, mode: KeyMode | 'any') {
  if (mode === 'any' || !token.startsWith(OTHER_PREFIX[mode])) return
  throw new RequestError(
    'invalid_credentials',
    `This service accepts only ${mode} keys. Use a key that begins with petk_${mode}_.`,
  )
}

/** Whose key it is, and which store has it. */
export interface Identified {
  principal: Principal
  store: Store
}

/** For a request that does not pass the gate of /v1. */
export async function requireKey(
  request: FastifyRequest,
  { stores, keyMode }: { stores: Stores; keyMode: KeyMode | 'any' },
): Promise<Identified> {
  const token = tokenOf(request.raw)
  requireKeyMode(token, keyMode)
  const store = stores.ofKey(token)
  return { principal: await authenticate(store, token, request), store }
}

/** A URL gets into logs, histories and referrers on its way: a key in it is no secret any more. */
export function rejectKeyInUrl({ originalUrl, id }: FastifyRequest, stores: Stores) {
  const keys = keysIn(originalUrl)
  if (keys.length === 0) return
  for (const [{ exposedKeys }, texts] of Map.groupBy(keys, (key) => stores.ofKey(key))) exposedKeys.report(texts, id)
  throw new RequestError(
    'invalid_credentials',
    'The URL contains an API key. URLs are logged and shared, so treat this key as leaked and ask the operator to rotate it. Send the new one in the Authorization header only.',
  )
}
