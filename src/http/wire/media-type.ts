import type { IncomingMessage } from 'node:http'
import { BODY_TOO_LARGE, RequestError } from './errors.ts'
import { countHeader, PATCH_TYPES } from './headers.ts'

export const MAX_BODY_BYTES = 65_536

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const PARAMETER = `;[ \\t]*(?:(${TOKEN})=(${TOKEN}|"(?:[^"\\\\]|\\\\.)*")[ \\t]*)?`
const TYPED = new RegExp(`^(?<type>${TOKEN}/${TOKEN})[ \\t]*(?<parameters>(?:${PARAMETER})*)$`)
const JSON_TYPES = ['application/json']

/** Rejects a body that is too long or not plain JSON, before a byte of it is read. */
export function requireJsonBody(request: IncomingMessage) {
  const { headers, method } = request
  if (headers['content-encoding'] !== undefined)
    throw new RequestError('unsupported_media_type', 'Content-Encoding is not supported. Send the body uncompressed.')
  if (countHeader(request, 'content-type') > 1)
    throw new RequestError('unsupported_media_type', 'The request has more than one Content-Type header; send one.')
  const type = headers['content-type']
  const types = method === 'PATCH' ? PATCH_TYPES : JSON_TYPES
  if (type !== undefined && !isOneOf(types, type)) throw wrongType(types)
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES)
    throw new RequestError('payload_too_large', BODY_TOO_LARGE)
}

export function wrongType(types: readonly string[]) {
  return new RequestError('unsupported_media_type', `Content-Type must be ${types.join(' or ')}, in UTF-8.`)
}

function isOneOf(types: readonly string[], contentType: string) {
  if (types.includes(contentType)) return true
  const { type = '', parameters = '' } = TYPED.exec(contentType)?.groups ?? {}
  if (!types.includes(type.toLowerCase())) return false
  // The expression above has matched them one after the other; so does this one.
  for (const [, name, value = ''] of parameters.matchAll(new RegExp(PARAMETER, 'g')))
    if (name?.toLowerCase() === 'charset' && !/^"?utf-8"?$/i.test(value)) return false
  return true
}
