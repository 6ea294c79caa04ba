import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The response that a connection is sending, or sends next. Node has no public way to get it. */
export function owedResponse(socket: Socket & { _httpMessage?: ServerResponse | null }) {
  return socket._httpMessage ?? undefined
}

/** Keeps the connection of a client that has finished sending until it has its response. The setting is undocumented. */
export function keepHalfOpen(server: Server) {
  Object.assign(server, { httpAllowHalfOpen: true })
}

/** Calls `close` when the server stops listening, instead of closing idle connections as Node does. */
export function closeIdleBy(server: Server, close: () => void) {
  server.closeIdleConnections = close
}

/** Calls `close` after the last response of a connection, instead of destroying it as Node does. */
export function closeLastBy(socket: Socket, close: () => void) {
  socket.destroySoon = close
}

/** Calls `onChunk` before each chunk of the body as the parser delivers it, even if nothing reads the body. */
export function watchChunks(request: IncomingMessage, onChunk: () => void) {
  const push = request.push.bind(request)
  request.push = (chunk, encoding) => {
    onChunk()
    return push(chunk, encoding)
  }
}

/** Calls `handle` once the responses to all earlier requests of the connection have been written, in the same turn of the event loop. */
export function onTurn(response: ServerResponse, handle: () => void) {
  response.once('socket', handle)
}
