import { connect, type Socket } from 'node:net'
import { watch } from './secrets.ts'

export interface RawAnswer {
  status: number
  headers: Map<string, string>
  body: string
}

/** A connection on which a test says exactly which bytes are sent. */
export class RawConnection {
  readonly socket: Socket
  #received = ''
  readonly closed: Promise<void>

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.#received += text
      watch('an answer', this.#received)
    })
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => {}) // a reset is a way to be closed
  }

  static async open(address: string) {
    const { hostname, port } = new URL(address)
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    const connection = new RawConnection(socket)
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
    return connection
  }

  send(text: string) {
    this.socket.write(text, 'latin1')
    return this
  }

  get received() {
    return this.#received
  }

  /** Everything the server said until it closed the connection. */
  async untilClosed() {
    this.socket.once('end', () => this.socket.end())
    await this.closed
    return answersIn(this.#received)
  }

  /** What the server has said once it has given `count` answers. */
  async answers(count: number) {
    while (answersIn(this.#received).length < count && !this.socket.destroyed)
      await new Promise((resolve) => {
        this.socket.once('data', resolve)
        this.socket.once('close', resolve)
      })
    return answersIn(this.#received)
  }
}

/** The complete answers in a stream of bytes, each as long as its Content-Length says. */
function answersIn(stream: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = stream
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return answers
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const length = Number(headers.get('content-length') ?? 0)
    const body = rest.slice(end + 4, end + 4 + length)
    if (body.length < length) return answers
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, body: Buffer.from(body, 'latin1').toString() })
    rest = rest.slice(end + 4 + length)
  }
}

/** Sends bytes, closes the sending half when `end` is set, and returns all that came until the server closed. */
export async function exchange(address: string, text: string, { end = false } = {}) {
  const connection = await RawConnection.open(address)
  connection.send(text)
  if (end) connection.socket.end()
  return connection.untilClosed()
}
