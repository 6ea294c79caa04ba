import { randomFillSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { LOOKS_LIKE_KEY } from '../../lib/ids/key-format.ts'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

const ID_BYTES = 15
const randomness = Buffer.alloc(ID_BYTES * 512)
let usedBytes = randomness.length

/** On every response, including those that no route sends. */
export const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** The media types of a body of PATCH, as `Accept-Patch` lists them. */
export const PATCH_TYPES = ['application/merge-patch+json', 'application/json']
export const ACCEPT_PATCH = PATCH_TYPES.join(', ')

/** The client's own Request-Id if it is well-formed, else a new one. One that contains a key must not get into the log. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>) {
  const id = headers['request-id']
  return typeof id === 'string' && REQUEST_ID.test(id) && !LOOKS_LIKE_KEY.test(id) ? id : newRequestId()
}

/** As hard to guess as a UUID, which Node builds of twenty strings: slow to write, and it is written twice, with the log. */
function newRequestId() {
  if (usedBytes === randomness.length) {
    randomFillSync(randomness)
    usedBytes = 0
  }
  const from = usedBytes
  usedBytes += ID_BYTES
  return randomness.toString('base64url', from, usedBytes)
}

/** How often a header was sent. Of some repeated headers Node silently keeps only the first. */
export function countHeader({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string) {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i]
    if (header?.length === name.length && header.toLowerCase() === name) count++
  }
  return count
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>) {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}
