import type { FastifyRequest } from 'fastify'
import { beginSession, endSession, findSession, type Session, UnknownSession } from '../../domain/sessions.ts'
import type { Store } from '../../domain/store.ts'
import type { Stores } from '../../domain/stores.ts'
import type { KeyMode } from '../../lib/ids/key-format.ts'
import { namedAddress } from '../../lib/ids/store-address.ts'
import { SESSION_TIMES } from '../../lib/times.ts'
import { RequestError } from '../wire/errors.ts'
import type { AddressLimit } from './address-limit.ts'
import type { Identified } from './auth.ts'

export interface SessionGuards {
  stores: Stores
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
 * The cookie of the request, if a page of this very origin sent it: other sites, ports and hosts of the same site can make a browser send
 * requests, but only browsers write this header, and they write where the request comes from.
 */
export function sessionCookieOf(request: Pick<FastifyRequest, 'headers'>) {
  if (!isSameOrigin(request)) return undefined
  const { cookie } = request.headers
  if (!cookie?.includes(NAME)) return undefined
  const [value, ...others] = Array.from(cookie.matchAll(COOKIE), ([, each = '']) => each.trim())
  // Browsers send one. Of several, none can be trusted.
  return others.length === 0 ? value : ''
}

export function isSameOrigin({ headers }: Pick<FastifyRequest, 'headers'>) {
  return headers['sec-fetch-site'] === 'same-origin'
}

/** The store that a cookie names, and the token in it. `test.<token>` is of the sandbox, a token alone of the default store. */
export function locateSession(cookie: string, stores: Stores) {
  const dot = cookie.indexOf('.')
  const named = dot < 0 ? undefined : stores.at(cookie.slice(0, dot))
  if (!named || named === stores.default) return { store: stores.default, token: cookie }
  return { store: named, token: tokenIn(cookie) }
}

/** The store of the cookie of the request, whether or not it is valid. */
export function storeOfSession(request: FastifyRequest, stores: Stores) {
  const cookie = sessionCookieOf(request)
  return cookie === undefined ? stores.default : locateSession(cookie, stores).store
}

/** The token in a cookie, after the '.' that ends the name of its store; no token has one. */
export function tokenIn(cookie: string) {
  return cookie.slice(cookie.indexOf('.') + 1)
}

function nameSession({ address }: Store, token: string) {
  const named = namedAddress(address)
  return named === undefined ? token : `${named}.${token}`
}

/** Throws if the session is not valid. Made-up tokens count as made-up keys do. */
export async function requireSession(
  request: FastifyRequest,
  cookie: string,
  { stores, keyMode, addressLimit }: SessionGuards,
): Promise<Session & Identified> {
  const { store, token } = locateSession(cookie, stores)
  const { operation } = request.route.config
  const isActivity = operation !== undefined && operation.id !== NO_ACTIVITY
  const session = await countGuesses(findSession(store, token, isActivity, request), request, addressLimit)
  if (keyMode !== 'any' && session.principal.key.mode !== keyMode)
    throw new RequestError('invalid_credentials', `This service accepts only ${keyMode} keys. Sign in with one.`)
  return { ...session, store }
}

/**
 * Signs in, and ends the session that the browser had before. If that was of another store, nothing waits for it: it may be lost.
 * Returns the cookie of the new session.
 */
export async function replaceSession({ principal, store }: Identified, cookie: string | undefined, stores: Stores) {
  const previous = cookie === undefined ? undefined : locateSession(cookie, stores)
  const isOfSameStore = previous?.store === store
  const { token, endsAt } = await beginSession(store, principal, isOfSameStore ? previous.token : undefined)
  if (previous && !isOfSameStore) endSession(previous.store, previous.token).catch(() => {})
  return { cookie: sessionCookie(nameSession(store, token)), endsAt }
}

/** Ends the session, if there is one. */
export async function dropSession(request: FastifyRequest, cookie: string, { stores, addressLimit }: SessionGuards) {
  const { store, token } = locateSession(cookie, stores)
  await countGuesses(endSession(store, token, request), request, addressLimit).catch((error: unknown) => {
    if (!(error instanceof UnknownSession)) throw error
  })
}

function sessionCookie(value: string) {
  return `${NAME}=${value}; ${ATTRIBUTES}; Max-Age=${MAX_AGE_SECONDS}`
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
