import type { IncomingMessage } from 'node:http'
import { METHODS } from '../../node/http.ts'
import { RequestError } from '../wire/errors.ts'
import { countHeader } from '../wire/headers.ts'

export const MAX_HEAD_BYTES = 16_384
export const HEAD_TOO_LARGE = 'The request line and headers exceed 16 KiB in total. Send fewer or shorter headers.'

const KNOWN_METHODS = new Set(METHODS)

/** Whether this is HTTP/1 at all. Node's parser also reads RTSP's methods and other versions, which the router can't handle. */
export function isHttp1({ method = '', httpVersion }: IncomingMessage) {
  return KNOWN_METHODS.has(method) && (httpVersion === '1.1' || httpVersion === '1.0')
}

/** `originalUrl` is set by Fastify where it rewrites `url`. */
type RoutedRequest = IncomingMessage & { originalUrl?: string }

/** Checks what Node accepts and the contract does not. */
export function faultInHead(request: RoutedRequest) {
  const { headers, httpVersion } = request
  // Node counts neither separators nor line ends.
  if (headLength(request) > MAX_HEAD_BYTES) return new RequestError('headers_too_large', HEAD_TOO_LARGE)
  const hosts = countHeader(request, 'host')
  if (hosts > 1) return new RequestError('bad_request', 'The request has more than one Host header.')
  if (hosts === 0 && httpVersion === '1.1') return new RequestError('bad_request', 'The request has no Host header.')
  if (headers.expect !== undefined && !/^100-continue(?:, *100-continue)*$/i.test(headers.expect))
    return new RequestError('bad_request', 'The only expectation served is 100-continue.')
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    return new RequestError('bad_request', 'The only Transfer-Encoding served is chunked.')
  // A proxy that speaks HTTP/1.0 does not know the header, and would see the end of the body somewhere else.
  if (headers['transfer-encoding'] !== undefined && httpVersion === '1.0')
    return new RequestError('bad_request', 'HTTP/1.0 has no Transfer-Encoding; send a Content-Length.')
  return undefined
}

/** As it was sent: `url` may have been rewritten since. */
function headLength({ method = '', url = '', originalUrl = url, rawHeaders }: RoutedRequest) {
  let length = method.length + originalUrl.length + '  HTTP/1.1\r\n\r\n'.length
  // As nearly all clients write them: a colon and a space after a name, a line end after a value.
  for (const text of rawHeaders) length += text.length + 2
  return length
}

// No route has a longer path, and no id is as long as such a segment. Of a longer one, only the beginning counts.
export const MAX_PATH_LENGTH = 2_048
const MAX_SEGMENT_LENGTH = 256
// More than any route has. Each segment that cannot be decoded costs an exception.
const MAX_SEGMENTS = 9

/**
 * The URL that is routed. Bad percent-encoding becomes a plain name that no route and no pet has, and a path that is too long is cut
 * before it is decoded, so that every check still takes its turn: a caller without a key gets 401, and an id of 10,000 digits 404.
 */
export function routableUrl({ url = '/' }: { url?: string | undefined }) {
  if (url.length <= MAX_PATH_LENGTH && !url.includes('%')) return url
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  return escapeBadEncoding(path.length > MAX_PATH_LENGTH ? cut(path) : path) + url.slice(path.length)
}

function cut(path: string) {
  const segments = path.split('/', MAX_SEGMENTS)
  return segments.map((segment) => segment.slice(0, MAX_SEGMENT_LENGTH)).join('/')
}

function escapeBadEncoding(path: string) {
  if (isDecodable(path)) return path
  const parts = path.split('/')
  // The rest is too deep for any route, and only has to be decodable.
  if (parts.length > MAX_SEGMENTS) parts.push(parts.splice(MAX_SEGMENTS).join('/'))
  return parts.map((part) => (isDecodable(part) ? part : part.replaceAll('%', '%25'))).join('/')
}

function isDecodable(part: string) {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}
