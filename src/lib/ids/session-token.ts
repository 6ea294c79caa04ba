import { hash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32
const TOKEN = /^[0-9A-Za-z_-]{43}$/

/** The secret of a session. */
export function newSessionToken() {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** Saves looking up noise. */
export function isWellFormedToken(text: string) {
  return TOKEN.test(text)
}

/** Stored in place of the token, which has 256 random bits and so needs neither salt nor a slow hash. */
export function hashToken(token: string) {
  return hash('sha256', token, 'hex')
}
