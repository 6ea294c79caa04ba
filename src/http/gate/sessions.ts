import type { FastifyRequest } from 'fastify'
import { endSession, findSession, type Session, UnknownSession } from '../../domain/sessions.ts'
import type { Store } from '../../domain/store.ts'
import type { KeyMode } from '../../lib/ids/key-format.ts'
import { SESSION_TIMES } from '../../lib/times.ts'
import { RequestError } from '../wire/errors.ts'
import type { AddressLimit } from './address-limit.ts'

export interface SessionGuards {
  store: Store
  keyMode: KeyMode | 'any'
  addressLimit?: AddressLimit | undefined
}

const NAME = '__Host-petstore-session'
const COOKIE = new RegExp(`(?:^|;)[ \\t]*${NAME}=([^;]*)`, 'g')
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'
const MAX_AGE_SECONDS = SESSION_TIMES.hours * 3_600

// The page sends it by itself while it is open, as it does `GET /console/session`: neither shows that a person is active.
const NO_ACTIVITY = 'listEvents'

/**
 * The token of the request, if a page of this very origin sent it: other sites, ports and hosts of the same site can make a browser send
 * requests, but only browsers write this header, and they write where the request comes from.
 */
export function sessionTokenOf(request: Pick<FastifyRequest, 'headers'>) {
  if (!isSameOrigin(request)) return undefined
  const { cookie } = request.headers
  if (!cookie?.includes(NAME)) return undefined
  const [token, ...others] = Array.from(cookie.matchAll(COOKIE), ([, value = '']) => value.trim())
  // Browsers send one. Of several, none can be trusted.
  return others.length === 0 ? token : ''
}

export function isSameOrigin({ headers }: Pick<FastifyRequest, 'headers'>) {
  return headers['sec-fetch-site'] === 'same-origin'
}

/** Throws if the session is not valid. Made-up tokens count as made-up keys do. */
export async function requireSession(
  request: FastifyRequest,
  token: string,
  { store, keyMode, addressLimit }: SessionGuards,
): Promise<Session> {
  const { operation } = request.route.config
  const isActivity = operation !== undefined && operation.id !== NO_ACTIVITY
  const session = await countGuesses(findSession(store, token, isActivity, request), request, addressLimit)
  if (keyMode !== 'any' && session.principal.key.mode !== keyMode)
    throw new RequestError('invalid_credentials', `This service accepts only ${keyMode} keys. Sign in with one.`)
  return session
}

/** Ends the session, if there is one. */
export async function dropSession(request: FastifyRequest, token: string, { store, addressLimit }: SessionGuards) {
  await countGuesses(endSession(store, token, request), request, addressLimit).catch((error: unknown) => {
    if (!(error instanceof UnknownSession)) throw error
  })
}

export function sessionCookie(token: string) {
  return `${NAME}=${token}; ${ATTRIBUTES}; Max-Age=${MAX_AGE_SECONDS}`
}

export function clearedSessionCookie() {
  return `${NAME}=; ${ATTRIBUTES}; Max-Age=0`
}

/** Ended sessions do not count: the open tabs of an office must not block it. */
async function countGuesses<T>(found: Promise<T>, request: FastifyRequest, addressLimit: AddressLimit | undefined) {
  try {
    return await found
  } catch (error) {
    if (error instanceof UnknownSession) addressLimit?.noteFailure(request)
    throw error
  }
}
