import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { STATUS_CODES } from '../../lib/node-http.ts'
import type { ErrorCode } from '../wire/error-codes.ts'
import { errorBody } from '../wire/errors.ts'
import { COMMON_HEADERS, requestIdOf } from '../wire/headers.ts'
import { HEAD_TOO_LARGE, isHttp1 } from './framing.ts'
import { stopParsing } from './node-parser.ts'
import { handleInTurn, MAX_WAITING } from './pipelining.ts'
import { closeStalledClients } from './stalled-clients.ts'

/** Tells the log of an answer that no route has given. */
export type ReportRefusal = (code: ErrorCode, requestId: string) => void

type RequestError = [ErrorCode, string]
type Head = Pick<IncomingMessage, 'headers'>

// Each chunk costs some microseconds and half a kilobyte until it is read, however small it is.
const MAX_CHUNKS = 256

// What Node finds wrong with a request before it is one. By itself, Node would answer with an empty body.
const REFUSALS: Record<string, RequestError> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', HEAD_TOO_LARGE],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time; send it again.'],
}
const MALFORMED: RequestError = ['bad_request', 'The request is not well-formed HTTP.']
const NO_PROXY: RequestError = ['bad_request', 'CONNECT is not served: this is no proxy.']
const TOO_MANY_CHUNKS: RequestError = [
  'bad_request',
  `The body arrived in more than ${MAX_CHUNKS} chunks; send fewer and larger ones, or a Content-Length.`,
]
const TOO_MANY_WAITING: RequestError = [
  'bad_request',
  `More than ${MAX_WAITING} requests, or 64 KiB of them, are waiting on this connection; read responses before you send more.`,
]

const LINGER_MS = 2_000
// So much of a body that nobody reads is taken off the connection, so that a client that sends before it reads gets to read.
const MAX_DISCARDED_BYTES = 65_536

// A client that does not read its last response is not waited for any longer.
const LONGEST_LINGER_MS = 10_000

/** How many chunks the requests have brought that wait on a connection together. */
const chunksOn = new WeakMap<Socket, number>()

/** Connections whose further input is discarded, and how much they had received when that began. */
const discarding = new WeakMap<Socket, number>()

/** Takes over what Node's server would otherwise decide without us. */
export function guardConnections(server: Server, report: ReportRefusal) {
  // By default Node drops headers beyond the 1,000th; the limit in bytes is enough.
  server.maxHeadersCount = 0
  // An idle connection has as long as any other that nothing moves on; a timer of its own would be set and reset with every
  // request.
  server.keepAliveTimeout = 0
  // A client that has finished sending may still wait for its answer.
  Object.assign(server, { httpAllowHalfOpen: true })

  closeStalledClients(server)
  const routes = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    // What follows a refused body on its connection is not answered any more.
    if (discarding.has(request.socket)) return
    if (request.headers['transfer-encoding'] !== undefined) limitChunks(request, response, report)
    const isHandled = handleInTurn(request, response, () => {
      if (!isHttp1(request)) refuse(request, response, MALFORMED, report)
      else for (const route of routes) Reflect.apply(route, server, [request, response])
    })
    if (isHandled) return
    lingerOnClose(request.socket)
    refuse(request, response, TOO_MANY_WAITING, report)
  })
  // By default Node says 100 Continue before anyone has asked for a key; see `continueBody`.
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (request, response) => server.emit('request', request, response))
  server.on('connect', (request, socket: Socket) => {
    // Node has taken its own listener off; unheard, a reset would end the process.
    socket.on('error', () => socket.destroy())
    refuseInTurn(socket, NO_PROXY, request, report)
  })
  server.removeAllListeners('clientError')
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else if (discarding.has(socket)) stopAfterEnough(socket)
    else refuseInTurn(socket, REFUSALS[error.code ?? ''] ?? MALFORMED, undefined, report)
  })
}

/** Tells a caller who waits for it that the body is wanted. */
export function continueBody(request: IncomingMessage, response: ServerResponse) {
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue()
}

/**
 * Discards what else arrives, and closes the connection only some time after the answer. The body is still on its way: closing
 * at once would reset the connection, and most callers would never read why they were refused.
 */
export function lingerOnClose(socket: Socket) {
  if (discarding.has(socket)) return
  discarding.set(socket, socket.bytesRead)
  stopParsing(socket)
  destroyAfter(socket, LONGEST_LINGER_MS)
  socket.destroySoon = () => {
    socket.end()
    destroyAfter(socket, LINGER_MS)
  }
}

function destroyAfter(socket: Socket, ms: number) {
  const end = setTimeout(() => socket.destroy(), ms)
  socket.once('close', () => clearTimeout(end))
}

/** Unread, what a client goes on sending fills the buffers of the kernel, and costs nothing. */
function stopAfterEnough(socket: Socket) {
  if (socket.bytesRead - (discarding.get(socket) ?? 0) > MAX_DISCARDED_BYTES) socket.pause()
}

/** Counts chunks as the parser delivers them: the request may be waiting for its key, and nothing reads its body yet. */
function limitChunks(request: IncomingMessage, response: ServerResponse, report: ReportRefusal) {
  const { socket } = request
  // It does not wait for others.
  if (response.socket) chunksOn.delete(socket)
  const push = request.push.bind(request)
  request.push = (chunk, encoding) => {
    const chunks = (chunksOn.get(socket) ?? 0) + 1
    chunksOn.set(socket, chunks)
    if (chunks > MAX_CHUNKS && !discarding.has(socket)) {
      lingerOnClose(socket)
      refuseInTurn(socket, TOO_MANY_CHUNKS, request, report)
    }
    return push(chunk, encoding)
  }
}

/** Answers what could not be read as a request, behind the answers that the connection still owes. */
function refuseInTurn(socket: Socket, refusal: RequestError, head: Head | undefined, report: ReportRefusal) {
  const owed = (socket as { _httpMessage?: ServerResponse | null })._httpMessage
  if (!socket.writable) {
    socket.destroy()
  } else if (owed?.req.complete && !owed.writableFinished) {
    owed.once('finish', () => refuseInTurn(socket, refusal, head, report))
  } else if (owed?.headersSent) {
    socket.destroySoon()
  } else {
    // The head may have been whole, and only the body broken.
    const { status, headers, body } = answer(refusal, head ?? owed?.req ?? { headers: {} }, report)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
    socket.destroySoon()
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: RequestError, report: ReportRefusal) {
  const { status, headers, body } = answer(refusal, request, report)
  response.writeHead(status, headers).end(body)
}

function answer([code, message]: RequestError, head: Head, report: ReportRefusal) {
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
