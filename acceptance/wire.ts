import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { InFlight } from './in-flight.ts'
import { fillIn, KEY, type Keys } from './placeholders.ts'
import { CLOSED, Lost, type Response, type Sent, Violation } from './response.ts'
import { print, quote, show } from './shell.ts'

export interface Request {
  method?: string
  /** Below the base URL, like `/pets?limit=1`; with `outside`, below the part before the version. */
  path: string
  outside?: boolean
  /** The whole Authorization header; null leaves it out. A right one when absent. */
  authorization?: string | null
  headers?: Record<string, string>
  /** Sent as it is: text as UTF-8. */
  body?: string | Buffer
}

const PATIENCE_MS = 10_000

/** Ordinary requests, over connections that are kept. */
export class Wire implements Disposable {
  readonly base: URL
  readonly #keys: Keys
  readonly #inFlight: InFlight
  readonly #agent: http.Agent

  constructor(base: URL, keys: Keys, inFlight: InFlight) {
    this.base = base
    this.#keys = keys
    this.#inFlight = inFlight
    this.#agent = new (base.protocol === 'https:' ? https : http).Agent({ keepAlive: true })
  }

  async call(request: Request): Promise<Response> {
    const { method = 'GET', authorization = `Bearer ${KEY}`, body } = request
    const path = pathOf(this.base, request)
    const headers = { ...(authorization === null ? {} : { Authorization: authorization }), ...request.headers }
    const bytes = typeof body === 'string' ? Buffer.from(fillIn(body, this.#keys)) : body
    const shown = body === undefined ? undefined : Buffer.from(body).toString('latin1')
    const sent = describe(this.base.origin, method, path, headers, shown)
    const send = () => this.#send(method, path, headers, bytes)
    using _ = this.#inFlight.begin(() => sent)
    try {
      // The service may close a kept connection in the very moment that we use it again.
      const response = await send().catch((error: unknown) => (isLeftover(error) ? send() : Promise.reject(error)))
      return { ...response, request: sent }
    } catch (error) {
      throw this.#violation(sent, error as NodeJS.ErrnoException)
    }
  }

  #violation(sent: Sent, { name, code = '', message }: NodeJS.ErrnoException) {
    if (name === 'AbortError') return new Violation('a response', sent, `none within ${PATIENCE_MS / 1_000} seconds`)
    if (code.startsWith('HPE_')) return new Violation('a response', sent, `bytes that are not HTTP (${message})`)
    const closed = code === 'ECONNRESET' || code === 'EPIPE'
    // When several IP addresses were tried and all failed, Node reports only the code.
    return new Lost(sent, closed ? CLOSED : message || code, code, this.#inFlight.list())
  }

  #send(method: string, path: string, headers: Record<string, string>, body: Buffer | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<Omit<Response, 'request'>>()
    const filled = Object.entries(headers).map(([name, value]): [string, string] => [name, fillIn(value, this.#keys)])
    const request = (this.base.protocol === 'https:' ? https : http).request(this.base, {
      agent: this.#agent,
      method,
      path: fillIn(path, this.#keys),
      headers: Object.fromEntries<string | number>([
        ...filled,
        ...(body ? [['Content-Length', body.length] as const] : []),
      ]),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    request.once('response', (response) => void readResponse(response).then(resolve, reject))
    request.once('error', (error) => reject(Object.assign(error, { reused: request.reusedSocket })))
    request.end(body)
    return promise
  }

  [Symbol.dispose]() {
    this.#agent.destroy()
  }
}

function isLeftover(error: unknown) {
  const { code, reused } = error as { code?: string; reused?: boolean }
  return reused === true && code === 'ECONNRESET'
}

function pathOf(base: URL, { path, outside }: Request) {
  const basePath = base.pathname.replace(/\/$/, '')
  return (outside ? basePath.replace(/\/[^/]*$/, '') : basePath) + path
}

async function readResponse(response: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const headers = new Map<string, string>()
  for (const [name, values = []] of Object.entries(response.headersDistinct)) headers.set(name, values.join(', '))
  return { status: response.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString() }
}

function describe(origin: string, method: string, path: string, headers: Record<string, string>, body?: string): Sent {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const words = ['curl -sSi --path-as-is --globoff']
  if (method === 'HEAD') words.push('--head')
  else if (method !== (body === undefined ? 'GET' : 'POST')) words.push(`-X ${method}`)
  // Curl leaves a header without a value out, unless a semicolon replaces the colon.
  for (const line of lines) words.push(`-H ${quote(line.replace(/: *$/, ';'))}`)
  if (body !== undefined && headers['Content-Type'] === undefined) words.push(`-H 'Content-Type:'`)
  const plain = body !== undefined && /^[ -~]{0,300}$/.test(body)
  if (body !== undefined) words.push(`--data-binary ${plain ? quote(body) : '@-'}`)
  words.push(quote(origin + path))
  const curl = words.join(' ')
  return {
    shown: [
      `${method} ${show(path)}`,
      ...lines,
      ...(body === undefined ? [] : ['', show(Buffer.from(body, 'latin1').toString())]),
    ].join('\n'),
    curl: body === undefined || plain ? curl : `{ ${print(body)}; } | ${curl}`,
  }
}
