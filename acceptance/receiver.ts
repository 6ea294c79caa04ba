import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from './expect.ts'
import { type Sent, Violation } from './response.ts'
import { show } from './shell.ts'

/** A request that the service sent. Times are by `performance.now()`. */
export interface Delivery {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** What the body says; empty if it is not a JSON object. */
  event: { id?: unknown; type?: unknown; subject?: unknown; data?: unknown }
  at: number
  /** When it got its response, or the service gave up. */
  endedAt?: number
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
}

/** How a receiver responds. One that never does returns a promise that never settles. */
export type Respond = (delivery: Delivery) => Reply | Promise<Reply>

export const ACCEPTED: Reply = { status: 204 }
/** From the change of a pet to its delivery: a webhook that is new, changed or waits for a second attempt takes the longest. */
const LATEST_MS = 12_000
const INTERVAL_MS = 10

/** Receives webhooks on this machine. */
export class Receiver implements Disposable {
  readonly received: Delivery[] = []
  readonly #server: Server
  readonly #respond: Respond
  /** The request that created the webhook, for reports. */
  createdBy: Sent = { shown: '', curl: '' }

  private constructor(respond: Respond) {
    this.#respond = respond
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.once('end', () => {
        const body = Buffer.concat(chunks).toString()
        const { method = '', url: path = '', headers } = request
        const delivery: Delivery = { method, path, headers, body, event: eventIn(body), at: performance.now() }
        this.received.push(delivery)
        response.once('close', () => {
          delivery.endedAt ??= performance.now()
        })
        void this.#reply(delivery, response)
      })
    })
  }

  static async start(respond: Respond = () => ACCEPTED) {
    const receiver = new Receiver(respond)
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    return receiver
  }

  get url() {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks?from=verify`
  }

  /** Closes its connections too: whatever is sent to it from now on is not accepted. */
  [Symbol.dispose]() {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #reply(delivery: Delivery, response: ServerResponse) {
    const { status, headers, body } = await this.#respond(delivery)
    delivery.endedAt ??= performance.now()
    response.writeHead(status, headers).end(body)
  }

  /** Those that are wanted, once there are as many, which is one or more. */
  async until(count: number, expected: string, isWanted: (delivery: Delivery) => boolean = () => true) {
    const deadline = performance.now() + LATEST_MS
    for (;;) {
      const wanted = this.received.filter(isWanted)
      const [first, ...others] = wanted
      if (first && wanted.length >= count) return [first, ...others] as const
      const seen = `${wanted.length} in ${LATEST_MS / 1_000} s`
      this.expect(performance.now() < deadline, expected, wanted.length === 0 ? 'nothing' : seen)
      await sleep(INTERVAL_MS)
    }
  }

  /** Fails the clause with this delivery, or the last one, unless it holds. */
  expect(holds: boolean, expected: string, seen: string, delivery = this.received.at(-1)) {
    if (holds) return
    throw new Violation(expected, this.createdBy, delivery ? showDelivery(delivery) : 'nothing was received', seen)
  }
}

function showDelivery({ method, path, headers, body }: Delivery) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
  return [`received: ${method} ${path}`, ...lines, '', show(body, 600)].join('\n')
}

function eventIn(body: string): Delivery['event'] {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
