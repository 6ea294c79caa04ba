import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { opened } from './cleanup.ts'

// A simple query, a statement to prepare, or the values of one that is.
const STATEMENT = /[QPB]/

/**
 * Cuts all connections of a command to its databases at one moment, as when the process is killed: before its nth message is sent, or
 * after PostgreSQL has responded to it. A message is a statement, which the driver writes at once; those that open a connection don't count.
 */
export class Cut {
  /** How many messages were sent. */
  sent = 0
  isCut = false
  readonly #at: number
  readonly #isAfter: boolean
  readonly #sockets = new Set<Socket>()

  constructor(at: number, isAfter: boolean) {
    this.#at = at
    this.#isAfter = isAfter
  }

  /** The same database, by way of this. */
  async through(databaseUrl: string) {
    const { port, hostname } = new URL(databaseUrl)
    const server = createServer((client) => {
      const upstream = connect(Number(port), hostname)
      for (const socket of [client, upstream]) this.#sockets.add(socket.on('error', () => {}))
      client.on('data', (bytes: Buffer) => {
        if (!this.isCut && STATEMENT.test(String.fromCharCode(bytes[0] ?? 0))) this.sent++
        const isLast = this.sent === this.#at
        if (isLast && !this.#isAfter) this.#end()
        if (this.isCut) return
        if (isLast) upstream.once('data', () => this.#end())
        upstream.write(bytes)
      })
      upstream.on('data', (bytes) => {
        if (!this.isCut) client.write(bytes)
      })
      client.on('close', () => upstream.destroy())
      upstream.on('close', () => client.destroy())
      if (this.isCut) client.destroy()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    opened.defer(() => void server.close())
    const url = new URL(databaseUrl)
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    return url.href
  }

  #end() {
    this.isCut = true
    for (const socket of this.#sockets) socket.destroy()
  }
}
