import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, errorBody, Refusal } from './errors.ts'
import { COMMON_HEADERS, countHeader, requestIdOf } from './headers.ts'

export const MAX_HEAD_BYTES = 16_384
const HEAD_TOO_LARGE = 'Request line and headers are over 16 KiB together; send less.'
const OTHER_EXPECTATION = 'The only expectation served is 100-continue.'

// What Node finds wrong with a request before it is one. By itself, Node would answer with an empty body.
const REFUSALS: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', HEAD_TOO_LARGE],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time; send it again.'],
}
const MALFORMED: [ErrorCode, string] = ['bad_request', 'The request is not well-formed HTTP.']

/** Takes over what Node's server would otherwise decide without us. */
export function guardFraming(server: Server) {
  // By default Node drops headers beyond the 1,000th; the limit in bytes is enough.
  server.maxHeadersCount = 0
  // A client that has finished sending may still wait for its answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  // By default Node says 100 Continue before anyone has asked for a key; see `continueBody`.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = answer('bad_request', OTHER_EXPECTATION, request)
    response.writeHead(status, headers).end(body)
  })
  server.on('connect', (request, socket: Socket) => {
    refuseInTurn(socket, () => writeAnswer(socket, 'bad_request', 'CONNECT is not served: this is no proxy.', request))
  })
}

/** Tells a caller who waits for it that the body is wanted. */
export function continueBody(request: IncomingMessage, response: ServerResponse) {
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue()
}

/** What Node lets pass and the contract does not: it counts neither separators nor line ends, and takes any Host. */
export function faultInHead(request: IncomingMessage) {
  if (headLength(request) > MAX_HEAD_BYTES) return new Refusal('headers_too_large', HEAD_TOO_LARGE)
  const hosts = countHeader(request, 'host')
  if (hosts > 1) return new Refusal('bad_request', 'The request has more than one Host header.')
  if (hosts === 0 && request.httpVersion === '1.1') return new Refusal('bad_request', 'The request has no Host header.')
  // Node is content with one 100-continue among others.
  if (!/^(?:100-continue(?:, *|$))*$/i.test(request.headers.expect ?? ''))
    return new Refusal('bad_request', OTHER_EXPECTATION)
  return undefined
}

function headLength({ method = '', url = '', rawHeaders }: IncomingMessage) {
  let length = method.length + url.length + '  HTTP/1.1\r\n\r\n'.length
  // A name is followed by a colon and a space, a value by the end of the line.
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

/** Answers what could not be read as a request. */
export function onClientError(error: NodeJS.ErrnoException, socket: Socket) {
  const [code, message] = REFUSALS[error.code ?? ''] ?? MALFORMED
  if (error.code === 'ECONNRESET') socket.destroy()
  else refuseInTurn(socket, () => writeAnswer(socket, code, message, { headers: {} }))
}

/** A whole request may have come before the one that is refused: first its answer, then the refusal. */
function refuseInTurn(socket: Socket, refuse: () => void) {
  const owed = (socket as { _httpMessage?: ServerResponse | null })._httpMessage
  if (!socket.writable) socket.destroy()
  else if (owed?.req.complete && !owed.writableFinished) owed.once('finish', () => refuseInTurn(socket, refuse))
  else if (owed?.headersSent) socket.destroySoon()
  else refuse()
}

function writeAnswer(socket: Socket, code: ErrorCode, message: string, request: Pick<IncomingMessage, 'headers'>) {
  const { status, headers, body } = answer(code, message, request)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}

function answer(code: ErrorCode, message: string, request: Pick<IncomingMessage, 'headers'>) {
  const error = errorBody(code, message)
  const body = JSON.stringify(error)
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    'request-id': requestIdOf(request),
    ...COMMON_HEADERS,
    connection: 'close',
  }
  return { status: error.status, headers, body }
}
