export interface HttpResponse {
  status: number
  headers: Map<string, string>
  body: Buffer
  /** Whether 100 Continue came before it. */
  continued: boolean
}

const HEAD_END = '\r\n\r\n'
const STATUS_LINE = /^HTTP\/1\.[01] ([1-5][0-9][0-9])(?: |$)/

/** Reads the responses to requests of the given methods out of the bytes of one connection, strictly. */
export class ResponseReader {
  readonly responses: HttpResponse[] = []
  readonly due: number
  fault: string | undefined
  readonly #methods: string[]
  #received: Buffer = Buffer.alloc(0)
  #continued = false

  constructor(methods: string[]) {
    this.#methods = methods
    this.due = methods.length
  }

  get complete() {
    return this.responses.length === this.due
  }

  get lastCloses() {
    return this.responses.at(-1)?.headers.get('connection')?.toLowerCase() === 'close'
  }

  push(chunk: Buffer) {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    while (this.fault === undefined && this.#received.length > 0 && this.#readOne());
  }

  /** Takes one response off the received bytes; false while it is incomplete. */
  #readOne() {
    if (this.complete) {
      if (this.#isOfUnreadHead()) return false
      this.fault = `more than ${this.due} responses arrived: ${JSON.stringify(this.#received.toString('latin1', 0, 80))}`
      return false
    }
    const end = this.#received.indexOf(HEAD_END)
    if (end < 0) return false
    const [statusLine = '', ...lines] = this.#received.toString('latin1', 0, end).split('\r\n')
    const status = Number(STATUS_LINE.exec(statusLine)?.[1])
    if (Number.isNaN(status)) {
      this.fault = `not an HTTP response: ${JSON.stringify(statusLine.slice(0, 80))}`
      return false
    }
    const headers = readHeaders(lines)
    const length = this.#lengthOf(status, headers)
    const bodyAt = end + HEAD_END.length
    if (length === undefined || this.#received.length < bodyAt + length) return false

    const body = this.#received.subarray(bodyAt, bodyAt + length)
    this.#received = this.#received.subarray(bodyAt + length)
    if (status === 100) {
      this.#continued = true
      return true
    }
    this.responses.push({ status, headers, body, continued: this.#continued })
    this.#continued = false
    return true
  }

  /** The service does not know the method of a head that it could not read, so also a response to HEAD may have a body. */
  #isOfUnreadHead() {
    const status = this.responses.at(-1)?.status
    const isUnread =
      status === 431 || (status === 400 && this.#received.includes('"The request is not well-formed HTTP."'))
    return isUnread && this.lastCloses && this.#methods.at(-1) === 'HEAD'
  }

  #lengthOf(status: number, headers: Map<string, string>) {
    if (status < 200 || status === 204 || status === 304 || this.#methods[this.responses.length] === 'HEAD') return 0
    const length = headers.get('content-length') ?? ''
    if (/^[0-9]+$/.test(length)) return Number(length)
    this.fault = `a ${status} has no single Content-Length`
    return undefined
  }
}

function readHeaders(lines: string[]) {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return headers
}
