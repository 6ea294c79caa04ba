import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const SWEEP_MS = 500
/** A client that reads nothing of its response for this long never will. */
const STALLED_MS = 20_000
/** A request must have arrived within this time, also while the server closes: Node does not look any more then. */
const INCOMPLETE_MS = 4_000

interface Progress {
  sent: number
  received: number
  since: number
}

type Connection = Socket & { _httpMessage?: ServerResponse | null }

/**
 * Closes connections that their clients could hold forever. Node's own timeouts restart with every byte that arrives, whether
 * or not the client ever reads; and when it closes idle connections, it counts a response as done that is still being sent.
 */
export function closeStalledClients(server: Server) {
  const connections = new Map<Connection, Progress>()
  let closingSince: number | undefined
  server.on('connection', (socket: Connection) => {
    connections.set(socket, { sent: 0, received: 0, since: performance.now() })
    socket.once('close', () => connections.delete(socket))
  })

  const sweep = () => {
    const now = performance.now()
    for (const [socket, progress] of connections) {
      const sent = socket.bytesWritten - socket.writableLength
      const isIdle = !socket._httpMessage && socket.bytesRead === progress.received
      if (socket.writableLength === 0 || sent !== progress.sent) progress.since = now
      Object.assign(progress, { sent, received: socket.bytesRead })
      if (now - progress.since > STALLED_MS) socket.destroy()
      else if (closingSince !== undefined && (isIdle || isLate(socket, now - closingSince))) socket.destroy()
    }
  }
  const timer = setInterval(sweep, SWEEP_MS).unref()
  server.once('close', () => clearInterval(timer))
  // Called when the server stops listening.
  server.closeIdleConnections = () => {
    closingSince ??= performance.now()
    sweep()
  }
}

/** Whether the time for its request is over. */
function isLate({ _httpMessage: response }: Connection, closingForMs: number) {
  return closingForMs > INCOMPLETE_MS && !response?.req.complete
}
