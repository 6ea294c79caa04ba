import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 30
const CHECKSUM_LENGTH = 6

// A later version may put the name of a store before the secret. The service has no such key yet, but finds one where none may be.
const KEY = /^petk_(?:live|test)_(?<secret>(?:[a-z][a-z0-9]{0,19}_)?[0-9A-Za-z]{30})(?<checksum>[0-9A-Za-z]{6})$/

// A lookahead, because the rest of one key may contain the beginning of another.
const KEY_ANYWHERE = /petk_(?:live|test)_(?=(?<rest>(?:[a-z][a-z0-9]{0,19}_)?[0-9A-Za-z]{36}))/g
const ENCODED_ASCII = /%[0-7][0-9a-f]/gi
const NONE: readonly string[] = []

/** Matches text that may contain a key or a part of one, and so must never be repeated. */
export const LOOKS_LIKE_KEY = /petk_/i

/** Replaces keys and parts of keys. The prefix alone is not secret. */
export function withoutKeys(text: string) {
  return text.replaceAll(/petk_(?!(?:live|test)_(?!\w))\w*/gi, 'petk_…')
}

export type KeyMode = 'live' | 'test'

export function generateKey(mode: KeyMode) {
  const secret = randomBase62(SECRET_LENGTH)
  return `petk_${mode}_${secret}${checksumOf(secret)}`
}

/** Whether the text has the form and the checksum of a key. Saves looking up noise. */
export function isWellFormedKey(text: string) {
  const { secret, checksum } = KEY.exec(text)?.groups ?? {}
  return secret !== undefined && checksumOf(secret) === checksum
}

/** The keys in a URL, wherever they are, percent-encoded or not. A URL without keys costs one or two searches. */
export function keysIn(url: string): readonly string[] {
  const text = url.includes('%') ? url.replaceAll(ENCODED_ASCII, decodeURIComponent) : url
  if (!text.includes('petk_')) return NONE
  const candidates = Array.from(text.matchAll(KEY_ANYWHERE), ([start, rest = '']) => start + rest)
  return candidates.filter(isWellFormedKey)
}

/** Stored in place of the key, which has 178 random bits and so needs neither salt nor a slow hash. */
export function hashKey(key: string) {
  return hash('sha256', key, 'hex')
}

export function randomBase62(length: number) {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('')
}

function checksumOf(secret: string) {
  let rest = crc32(secret)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62.charAt(rest % BASE62.length) + text
    rest = Math.floor(rest / BASE62.length)
  }
  return text
}
