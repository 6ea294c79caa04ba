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

// Sent by the page itself for as long as it is open, as is `GET /console/session`: neither shows that a person is at work.
const NO_ACTIVITY = 'listEvents'

/**
 * The token that this request brings, if it comes from a page of this very origin: other sites, other ports and other hosts of the same
 * site can make a browser send requests, but only browsers write this header, and they write where the request comes from.
 */
export function sessionTokenOf(request: Pick<FastifyRequest, 'headers'>) {
  if (!isSameOrigin(request)) return undefined
  const { cookie } = request.headers
  if (!cookie?.includes(NAME)) return undefined
  const [token, ...others] = Array.from(cookie.matchAll(COOKIE), ([, value = '']) => value.trim())
  // Browsers send one. Of two, none is to be trusted.
  return others.length === 0 ? token : ''
}

export function isSameOrigin({ headers }: Pick<FastifyRequest, 'headers'>) {
  return headers['sec-fetch-site'] === 'same-origin'
}

/** Throws what is wrong with the session. Tokens that were made up count as keys that were made up do. */
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

/** Sessions that have ended do not count: the open tabs of an office must not block it. */
async function countGuesses<T>(found: Promise<T>, request: FastifyRequest, addressLimit: AddressLimit | undefined) {
  try {
    return await found
  } catch (error) {
    if (error instanceof UnknownSession) addressLimit?.noteFailure(request)
    throw error
  }
}
