import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { Link } from './link.ts'

export interface Target {
  host: string
  port: number
}

/** For a new connection: tells of what comes back on it, piece by piece, whether it is an acknowledgement. */
export type Watch = () => (bytes: Buffer) => boolean

/** HTTP: whatever a service sends is an answer. */
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

/** Stands between two sides. Whoever connects is led to one of the targets, each in turn. */
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
    server.on('connection', (caller) => this.#join(caller, targets[next++ % targets.length] as Target, watch()))
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

  #join(caller: Socket, target: Target, isAcknowledgement: (bytes: Buffer) => boolean) {
    const called = connect({ ...target, noDelay: true })
    for (const [socket, other] of [
      [caller, called],
      [called, caller],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
    caller.on('data', (bytes) => this.there.send(bytes.length, () => called.write(bytes)))
    called.on('data', (bytes: Buffer) =>
      this.back.send(bytes.length, () => {
        if (!isAcknowledgement(bytes)) caller.write(bytes)
        else if (Math.random() >= this.cutShare) {
          this.counts.passed++
          caller.write(bytes)
        } else {
          this.counts.cut++
          caller.resetAndDestroy()
        }
      }),
    )
  }
}
