import type { IncomingMessage } from 'node:http'
import { LOOKS_LIKE_KEY } from '../../lib/ids/key-format.ts'
import { RequestError } from './errors.ts'
import { countHeader } from './headers.ts'

// A string as structured fields write it (RFC 8941), or the text alone.
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/
const KEY = /^[ -~]{1,255}$/

/** The key under which the client may repeat this request, if it sent one. */
export function readIdempotencyKey(request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>) {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const text = String(header)
  const key = text.startsWith('"') ? QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') : text
  if (key === undefined || !KEY.test(key) || countHeader(request, 'idempotency-key') > 1)
    throw new RequestError('invalid_idempotency_key', { kind: 'malformed idempotency key' })
  // It would be stored as it is.
  if (LOOKS_LIKE_KEY.test(key))
    throw new RequestError('invalid_idempotency_key', { kind: 'API key as idempotency key' })
  return key
}
