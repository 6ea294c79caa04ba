import type { IncomingMessage } from 'node:http'
import { Refusal } from './errors.ts'
import { countHeader } from './headers.ts'
import { METHODS } from './node-http.ts'

export const MAX_HEAD_BYTES = 16_384
export const HEAD_TOO_LARGE = 'Request line and headers are over 16 KiB together; send less.'

const KNOWN_METHODS = new Set(METHODS)

/** Whether this is HTTP/1 at all. Node's parser also reads RTSP's methods and other versions, and routers stumble over them. */
export function isHttp1({ method = '', httpVersion }: IncomingMessage) {
  return KNOWN_METHODS.has(method) && (httpVersion === '1.1' || httpVersion === '1.0')
}

/** What Node lets pass and the contract does not. */
export function faultInHead(request: IncomingMessage) {
  const { headers, httpVersion } = request
  // Node counts neither separators nor line ends.
  if (headLength(request) > MAX_HEAD_BYTES) return new Refusal('headers_too_large', HEAD_TOO_LARGE)
  const hosts = countHeader(request, 'host')
  if (hosts > 1) return new Refusal('bad_request', 'The request has more than one Host header.')
  if (hosts === 0 && httpVersion === '1.1') return new Refusal('bad_request', 'The request has no Host header.')
  if (headers.expect !== undefined && !/^100-continue(?:, *100-continue)*$/i.test(headers.expect))
    return new Refusal('bad_request', 'The only expectation served is 100-continue.')
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    return new Refusal('bad_request', 'The only Transfer-Encoding served is chunked.')
  return undefined
}

function headLength({ method = '', url = '', rawHeaders }: IncomingMessage) {
  let length = method.length + url.length + '  HTTP/1.1\r\n\r\n'.length
  // As nearly everyone writes them: a colon and a space behind a name, the end of the line behind a value.
  for (const text of rawHeaders) length += text.length + 2
  return length
}

/** Makes bad percent-encoding a plain name that no route and no pet has, so that every check still takes its turn. */
export function mendPercentEncoding({ url = '/' }: { url?: string | undefined }) {
  if (!url.includes('%')) return url
  const [path = '', ...query] = url.split('?')
  const mended = path.split('/').map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')))
  return [mended.join('/'), ...query].join('?')
}

function isDecodable(segment: string) {
  try {
    decodeURIComponent(segment)
    return true
  } catch {
    return false
  }
}
