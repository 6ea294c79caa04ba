import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Stands between the service and PostgreSQL, so that a test can take the database away and bring it back. */
export class DatabaseProxy implements AsyncDisposable {
  readonly url: string
  readonly #server: Server
  readonly #port: number
  readonly #sockets = new Set<Socket>()
  #isSilent = false
  /** How long a new connection waits for its first byte. */
  connectDelayMs = 0
  /** How many connections were ever accepted. */
  accepted = 0

  private constructor(server: Server, databaseUrl: string) {
    this.#server = server
    const target = new URL(databaseUrl)
    this.#port = (server.address() as AddressInfo).port
    server.on('connection', (client) => {
      this.accepted++
      if (this.#isSilent || this.connectDelayMs) client.pause()
      const upstream = connect(Number(target.port), target.hostname)
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          this.#sockets.delete(socket)
          other.destroy()
        })
      }
      if (this.#isSilent) return
      if (this.connectDelayMs) setTimeout(() => client.pipe(upstream).pipe(client), this.connectDelayMs)
      else client.pipe(upstream).pipe(client)
    })
    const url = new URL(databaseUrl)
    url.host = `127.0.0.1:${this.#port}`
    this.url = url.href
  }

  static async start(databaseUrl: string) {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new DatabaseProxy(server, databaseUrl)
  }

  /** Every connection breaks, and new ones are refused, as when the server process is gone. */
  async takeAway() {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** Connections stay, and new ones are taken, but nothing is said on them any more, as when the server machine hangs. */
  fallSilent() {
    this.#isSilent = true
    for (const socket of this.#sockets) socket.unpipe().pause()
  }

  /** Nothing is said any more on the connections of now, and nobody is told; new ones work. As when a firewall forgets them. */
  cutOff() {
    for (const socket of this.#sockets) socket.unpipe().pause()
  }

  async bringBack() {
    this.#isSilent = false
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  async [Symbol.asyncDispose]() {
    if (this.#server.listening) await this.takeAway()
  }
}
