import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { InFlight } from './in-flight.ts'
import { parseResponses } from './parse-responses.ts'
import { fillIn, type Keys } from './placeholders.ts'
import { CLOSED, Lost, type Response, type Sent, Violation } from './response.ts'
import { print, show } from './shell.ts'

const PATIENCE_MS = 10_000

/** A connection on which a clause says exactly which bytes are sent. */
export class RawConnection implements Disposable {
  readonly #socket: Socket
  readonly #base: URL
  readonly #keys: Keys
  readonly #inFlight: InFlight
  readonly #closed: Promise<void>
  /** The entry of this connection, until the awaited responses have come. */
  #pending: Disposable | undefined
  #sent = ''
  #received = ''

  private constructor(socket: Socket, base: URL, keys: Keys, inFlight: InFlight) {
    this.#socket = socket
    this.#base = base
    this.#keys = keys
    this.#inFlight = inFlight
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.#received += text
    })
    socket.once('end', () => socket.end())
    socket.on('error', () => {}) // a reset is a way to be closed
    this.#closed = new Promise((resolve) => socket.once('close', () => resolve()))
  }

  static async open(base: URL, keys: Keys, inFlight: InFlight) {
    const secure = base.protocol === 'https:'
    const host = base.hostname.replaceAll(/[[\]]/g, '')
    const address = { host, port: Number(base.port || (secure ? 443 : 80)), allowHalfOpen: true }
    const socket = secure ? connectTls({ ...address, servername: host }) : connectPlain(address)
    const connection = new RawConnection(socket, base, keys, inFlight)
    await Promise.race([
      new Promise((resolve) => socket.once(secure ? 'secureConnect' : 'connect', resolve)),
      connection.#closed,
    ])
    return connection
  }

  send(bytes: string) {
    this.#sent += bytes
    this.#pending ??= this.#inFlight.begin(() => this.#request)
    if (this.#socket.writable) this.#socket.write(fillIn(bytes, this.#keys), 'latin1')
    return this
  }

  /** Nothing more will be sent. */
  end() {
    this.#socket.end()
    return this
  }

  /** The responses so far, once there are at least `count`. */
  async responses(count: number) {
    await this.#within(async () => {
      while (this.#soFar().length < count && !this.#socket.closed)
        await Promise.race([new Promise((resolve) => this.#socket.once('data', resolve)), this.#closed])
    }, 'a response')
    const responses = this.#soFar()
    if (responses.length < count) throw this.#lost()
    this.#settle()
    return responses
  }

  /** Every response until the service closed the connection. */
  async untilClosed() {
    await this.#within(() => this.#closed, 'the connection closed by the service')
    const responses = this.#soFar()
    if (responses.length === 0) throw this.#lost()
    this.#settle()
    return responses
  }

  [Symbol.dispose]() {
    this.#settle()
    this.#socket.destroy()
  }

  #settle() {
    this.#pending?.[Symbol.dispose]()
    this.#pending = undefined
  }

  #lost() {
    const inFlight = this.#inFlight.list()
    this.#settle()
    return new Lost(this.#request, CLOSED, 'ECONNRESET', inFlight)
  }

  get #request(): Sent {
    const { hostname, port, protocol } = this.#base
    const to =
      protocol === 'https:'
        ? `openssl s_client -quiet -connect ${hostname}:${port || 443}`
        : `curl -sN telnet://${hostname}:${port || 80}`
    return {
      shown: show(this.#sent.replaceAll('\r\n', '\n')).trimEnd() || '(nothing)',
      curl: `{ ${print(this.#sent) || ':'}; sleep 5; } | ${to}`,
    }
  }

  async #within(work: () => Promise<void>, expected: string) {
    let late = false
    const timer = setTimeout(() => {
      late = true
      this.#socket.destroy()
    }, PATIENCE_MS)
    await work()
    clearTimeout(timer)
    if (late)
      throw new Violation(
        expected,
        this.#request,
        `not within ${PATIENCE_MS / 1_000} seconds; so far: ${show(this.#received)}`,
      )
  }

  #soFar(): Response[] {
    return parseResponses(this.#received).map((response) => ({ ...response, request: this.#request }))
  }
}
