import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientTimes } from '../../lib/times.ts'
import { closeLastBy, keepHalfOpen, owedResponse, watchChunks } from '../../node/connections.ts'
import { STATUS_CODES } from '../../node/http.ts'
import { stopParsing } from '../../node/parser.ts'
import type { ErrorCode } from '../wire/error-codes.ts'
import { errorBody } from '../wire/errors.ts'
import { COMMON_HEADERS, requestIdOf } from '../wire/headers.ts'
import { HEAD_TOO_LARGE, isHttp1 } from './framing.ts'
import { handleInTurn, MAX_WAITING } from './pipelining.ts'
import { closeStalledClients } from './stalled-clients.ts'

/** Reports a response that was sent without a route. */
export type ReportRejection = (code: ErrorCode, requestId: string) => void

type Rejection = [ErrorCode, string]
type RequestHead = Pick<IncomingMessage, 'headers'>

// Each chunk costs some microseconds and half a kilobyte until it is read, however small it is.
const MAX_CHUNKS = 256

// Errors that Node finds before there is a request. Node would respond with an empty body.
const REJECTIONS: Record<string, Rejection> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', HEAD_TOO_LARGE],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time; send it again.'],
}
const MALFORMED: Rejection = ['bad_request', 'The request is not well-formed HTTP.']
const NO_PROXY: Rejection = ['bad_request', 'CONNECT is not supported: this service is not a proxy.']
const TOO_MANY_CHUNKS: Rejection = [
  'bad_request',
  `The body arrived in more than ${MAX_CHUNKS} chunks; send fewer and larger ones, or a Content-Length.`,
]
const TOO_MANY_WAITING: Rejection = [
  'bad_request',
  `More than ${MAX_WAITING} requests, or 64 KiB of them, are waiting on this connection; read responses before you send more.`,
]

// How many bytes of an unwanted body are read and dropped, so that a client that sends before it reads still gets its response.
const MAX_DISCARDED_BYTES = 65_536

/** The number of chunks of all requests that wait on a connection. */
const chunksOn = new WeakMap<Socket, number>()

/** Connections whose further input is discarded, with the bytes that they had received before. */
const discarding = new WeakMap<Socket, number>()

/** Replaces decisions that Node's server makes by default. */
export function guardConnections(server: Server, times: ClientTimes, report: ReportRejection) {
  // By default Node drops headers beyond the 1,000th; the limit in bytes is enough.
  server.maxHeadersCount = 0
  // The connection timeout covers idle connections too; another timer would be set and reset with every request.
  server.keepAliveTimeout = 0
  keepHalfOpen(server)

  closeStalledClients(server, times)
  const routes = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    // Requests after a rejected body on the same connection get no response.
    if (discarding.has(request.socket)) return
    if (request.headers['transfer-encoding'] !== undefined) limitChunks(request, response, times, report)
    const isHandled = handleInTurn(request, response, () => {
      if (!isHttp1(request)) reject(request, response, MALFORMED, report)
      else for (const route of routes) Reflect.apply(route, server, [request, response])
    })
    if (isHandled) return
    lingerOnClose(request.socket, times)
    reject(request, response, TOO_MANY_WAITING, report)
  })
  // By default Node sends 100 Continue before the key has been checked; see `continueBody`.
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (request, response) => server.emit('request', request, response))
  server.on('connect', (request, socket: Socket) => {
    // Node has removed its own listener; an unhandled reset would end the process.
    socket.on('error', () => socket.destroy())
    rejectInTurn(socket, NO_PROXY, request, report)
  })
  server.removeAllListeners('clientError')
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else if (discarding.has(socket)) stopAfterEnough(socket)
    else rejectInTurn(socket, REJECTIONS[error.code ?? ''] ?? MALFORMED, undefined, report)
  })
}

/** Asks a client that waits for it to send the body. */
export function continueBody(request: IncomingMessage, response: ServerResponse) {
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue()
}

/**
 * Discards further input, and closes the connection only some time after the response. The body is still arriving: closing at
 * once would reset the connection, and most clients would never read why they were rejected.
 */
export function lingerOnClose(socket: Socket, { lingerMs, longestLingerMs }: ClientTimes) {
  if (discarding.has(socket)) return
  discarding.set(socket, socket.bytesRead)
  stopParsing(socket)
  destroyAfter(socket, longestLingerMs)
  closeLastBy(socket, () => {
    socket.end()
    destroyAfter(socket, lingerMs)
  })
}

function destroyAfter(socket: Socket, ms: number) {
  const end = setTimeout(() => socket.destroy(), ms)
  socket.once('close', () => clearTimeout(end))
}

/** Pauses the socket after enough bytes: the rest fills the buffers of the kernel, and costs nothing. */
function stopAfterEnough(socket: Socket) {
  if (socket.bytesRead - (discarding.get(socket) ?? 0) > MAX_DISCARDED_BYTES) socket.pause()
}

/** Counts chunks as they arrive: the request may be waiting for its key, and nothing reads its body yet. */
function limitChunks(request: IncomingMessage, response: ServerResponse, times: ClientTimes, report: ReportRejection) {
  const { socket } = request
  // This request waits for no other, so the count begins again.
  if (response.socket) chunksOn.delete(socket)
  watchChunks(request, () => {
    const chunks = (chunksOn.get(socket) ?? 0) + 1
    chunksOn.set(socket, chunks)
    if (chunks > MAX_CHUNKS && !discarding.has(socket)) {
      lingerOnClose(socket, times)
      rejectInTurn(socket, TOO_MANY_CHUNKS, request, report)
    }
  })
}

/** Responds to input that could not be read as a request, after the responses that the connection still owes. */
function rejectInTurn(socket: Socket, rejection: Rejection, head: RequestHead | undefined, report: ReportRejection) {
  const owed = owedResponse(socket)
  if (!socket.writable) {
    socket.destroy()
  } else if (owed?.req.complete && !owed.writableFinished) {
    owed.once('finish', () => rejectInTurn(socket, rejection, head, report))
  } else if (owed?.headersSent) {
    socket.destroySoon()
  } else {
    // The head may have been complete, and only the body broken.
    const { status, headers, body } = responseTo(rejection, head ?? owed?.req ?? { headers: {} }, report)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
    socket.destroySoon()
  }
}

function reject(request: IncomingMessage, response: ServerResponse, rejection: Rejection, report: ReportRejection) {
  const { status, headers, body } = responseTo(rejection, request, report)
  response.writeHead(status, headers).end(body)
}

function responseTo([code, message]: Rejection, head: RequestHead, report: ReportRejection) {
  const error = errorBody(code, message)
  const body = JSON.stringify(error)
  const requestId = requestIdOf(head)
  report(code, requestId)
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    'request-id': requestId,
    ...COMMON_HEADERS,
    connection: 'close',
  }
  return { status: error.status, headers, body }
}
