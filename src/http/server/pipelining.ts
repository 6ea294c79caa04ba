import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { onTurn } from '../../node/connections.ts'

export const MAX_WAITING = 100
// The size of all requests that wait on one connection.
const MAX_WAITING_BYTES = 65_536

interface Queue {
  waiting: number
  /** The bytes received when the request that is being handled arrived. The rest is waiting. */
  bytesBefore: number
}

const queues = new WeakMap<Socket, Queue>()

/**
 * Handles the requests of a connection one after the other. One read may bring two thousand of them, and Node emits all in the same turn of
 * the event loop: other connections would wait, and every response would be held until the client reads it. Returns false, and handles
 * nothing, if too many wait already.
 */
export function handleInTurn(request: IncomingMessage, response: ServerResponse, handle: () => void) {
  // Node assigns the socket when the responses to all earlier requests have been written.
  if (response.socket) {
    handle()
    return true
  }
  const { socket } = request
  const queue = queues.get(socket) ?? { waiting: 0, bytesBefore: 0 }
  queues.set(socket, queue)
  if (queue.waiting === 0) queue.bytesBefore = socket.bytesRead
  const bytesNow = socket.bytesRead
  if (queue.waiting >= MAX_WAITING || bytesNow - queue.bytesBefore > MAX_WAITING_BYTES) return false
  queue.waiting++
  onTurn(response, () => {
    queue.waiting--
    queue.bytesBefore = bytesNow
    // In a turn of its own, so that other connections get theirs.
    setImmediate(() => {
      if (socket.writable) handle()
    })
  })
  return true
}
