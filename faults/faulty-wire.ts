import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { Link } from './link.ts'

export interface Target {
  host: string
  port: number
}

/** For a new connection: decides for each piece that comes back on it whether it is an acknowledgement. */
export type Watch = () => (bytes: Buffer) => boolean

/** HTTP: everything a service sends is a response. */
export const EVERY_PIECE: Watch = () => () => true

const READY_AND_IDLE = Buffer.from('Z\0\0\0\x05I', 'latin1')

/** PostgreSQL: it is ready for the next statement, and in no transaction any more. The first time, it is only connected. */
const ENDS_OF_TRANSACTIONS: Watch = () => {
  let isConnected = false
  return (bytes) => {
    if (!bytes.subarray(-READY_AND_IDLE.length).equals(READY_AND_IDLE)) return false
    const wasConnected = isConnected
    isConnected = true
    return wasConnected
  }
}

/** A proxy that fails on purpose. Connections go to the targets in turn. */
export class FaultyWire implements AsyncDisposable {
  /** Which share of the acknowledgements is not passed on: the connection is reset instead. What was done stays done. */
  cutShare = 0
  /** Acknowledgements that were passed on, and that were cut. */
  readonly counts = { passed: 0, cut: 0 }
  readonly there = new Link()
  readonly back = new Link()
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server, targets: Target[], watch: Watch) {
    this.#server = server
    let next = 0
    server.on('connection', (client) => this.#join(client, targets[next++ % targets.length] as Target, watch()))
  }

  static async start(targets: Target[], watch: Watch) {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new FaultyWire(server, targets, watch)
  }

  /** The same database, by way of a proxy. */
  static async toDatabase(databaseUrl: string) {
    const url = new URL(databaseUrl)
    const proxy = await FaultyWire.start([{ host: url.hostname, port: Number(url.port) }], ENDS_OF_TRANSACTIONS)
    url.host = `127.0.0.1:${proxy.port}`
    return { proxy, url: url.href }
  }

  get port() {
    return (this.#server.address() as AddressInfo).port
  }

  async [Symbol.asyncDispose]() {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #join(client: Socket, target: Target, isAcknowledgement: (bytes: Buffer) => boolean) {
    const server = connect({ ...target, noDelay: true })
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
    client.on('data', (bytes) => this.there.send(bytes.length, () => server.write(bytes)))
    server.on('data', (bytes: Buffer) =>
      this.back.send(bytes.length, () => {
        if (!isAcknowledgement(bytes)) client.write(bytes)
        else if (Math.random() >= this.cutShare) {
          this.counts.passed++
          client.write(bytes)
        } else {
          this.counts.cut++
          client.resetAndDestroy()
        }
      }),
    )
  }
}
