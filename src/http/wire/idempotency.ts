import type { IncomingMessage } from 'node:http'
import { LOOKS_LIKE_KEY } from '../../lib/key-format.ts'
import { RequestError } from './errors.ts'
import { countHeader } from './headers.ts'

// A string as structured fields write it (RFC 8941), or the text alone.
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/
const KEY = /^[ -~]{1,255}$/

export const MALFORMED_KEY =
  'Send one Idempotency-Key header with 1 to 255 printable ASCII characters, bare or as a quoted string.'

// It would be stored as it is.
const API_KEY_AS_IDEMPOTENCY_KEY =
  'Idempotency-Key looks like an API key. Send a random value, such as a UUID; and treat that API key as leaked: ask the operator to rotate it.'

/** The key under which the client may repeat this request, if it sent one. */
export function readIdempotencyKey(request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>) {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const text = String(header)
  const key = text.startsWith('"') ? QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') : text
  if (key === undefined || !KEY.test(key) || countHeader(request, 'idempotency-key') > 1)
    throw new RequestError('invalid_idempotency_key', MALFORMED_KEY)
  if (LOOKS_LIKE_KEY.test(key)) throw new RequestError('invalid_idempotency_key', API_KEY_AS_IDEMPOTENCY_KEY)
  return key
}
