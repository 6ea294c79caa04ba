import assert from 'node:assert/strict'
import type { Answer, Call } from './app.ts'
import { keepSecret } from './secrets.ts'

export const SESSION = '/console/session'
export const COOKIE_NAME = '__Host-petstore-session'

interface PageRequest extends Omit<RequestInit, 'headers'> {
  headers?: Record<string, string>
}

/** As a page of the console sends it: without a key. */
export function fromPage(cookie?: string, init: PageRequest = {}, site = 'same-origin') {
  const headers = { 'sec-fetch-site': site, ...(cookie !== undefined && { cookie }), ...init.headers }
  return { ...init, key: null, headers }
}

/** Signs in, and returns the cookie as the browser sends it from then on. */
export async function signIn(call: Call, key: string, earlierCookie?: string) {
  const init = { method: 'POST', headers: { authorization: `Bearer ${key}` } }
  const answer = await call(SESSION, fromPage(earlierCookie, init))
  assert.equal(answer.status, 201, answer.text)
  const token = tokenIn(answer)
  return { answer, token, cookie: `${COOKIE_NAME}=${token}` }
}

export function tokenIn({ headers }: Pick<Answer, 'headers'>) {
  const [name, token = ''] = headers.getSetCookie()[0]?.split(';')[0]?.split('=') ?? []
  assert.equal(name, COOKIE_NAME)
  keepSecret(token)
  return token
}
