import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientTimes } from '../../lib/times.ts'
import { closeIdleBy, owedResponse } from '../../node/connections.ts'

interface Progress {
  sent: number
  received: number
  since: number
}

/**
 * Closes connections that their clients could hold for ever. Node's own timeouts restart with every byte that arrives, whether or not the
 * client ever reads; and when Node closes idle connections, it counts a response that is still being sent as done.
 */
export function closeStalledClients(server: Server, { sweepMs, stalledMs, arrivalMs }: ClientTimes) {
  const connections = new Map<Socket, Progress>()
  let closingSince: number | undefined
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { sent: 0, received: 0, since: performance.now() })
    socket.once('close', () => connections.delete(socket))
  })

  const sweep = () => {
    const now = performance.now()
    for (const [socket, progress] of connections) {
      const sent = socket.bytesWritten - socket.writableLength
      const isIdle = !owedResponse(socket) && socket.bytesRead === progress.received
      if (socket.writableLength === 0 || sent !== progress.sent) progress.since = now
      Object.assign(progress, { sent, received: socket.bytesRead })
      if (now - progress.since > stalledMs) socket.destroy()
      else if (closingSince !== undefined && (isIdle || (now - closingSince > arrivalMs && isIncomplete(socket))))
        socket.destroy()
    }
  }
  const timer = setInterval(sweep, sweepMs).unref()
  server.once('close', () => clearInterval(timer))
  closeIdleBy(server, () => {
    closingSince ??= performance.now()
    sweep()
  })
}

/** Whether its request is still arriving. Node no longer looks for late requests while the server closes. */
function isIncomplete(socket: Socket) {
  return !owedResponse(socket)?.req.complete
}
