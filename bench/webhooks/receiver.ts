import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** One URL of the receiver, by its name, and how it responds. */
export interface Endpoint {
  name: string
  secret: string
  /** The share of requests with a 500, from 0 to 1. */
  failRate: number
  /** How late it responds to the others. */
  delayMs: number
}

/** An event that was accepted with 200. Times are in milliseconds since 1970. */
export interface Delivered {
  endpoint: string
  sequence: number
  petId: number
  version: number
  at: number
  eventAt: number
  id: string
}

export interface Received {
  accepted: number
  rejected: number
  /** Of a sample, whose signatures were verified. */
  verified: number
  /** What was wrong with requests, as sentences. */
  wrong: string[]
}

export type Order = { endpoints: Endpoint[] } | { isLogTaken: true } | { isCounted: true }

const PROCESS = new URL('receiver-process.ts', import.meta.url).pathname

/** A receiver of webhooks over https: a process of its own, so that it takes no time from others that are measured. */
export class Receiver implements AsyncDisposable {
  /** The certificate, for NODE_EXTRA_CA_CERTS. */
  readonly certificate: string
  readonly #directory: string
  readonly #host: string
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  #port = 0
  #orders = 0

  private constructor(directory: string, host: string) {
    this.#directory = directory
    this.#host = host
    this.certificate = join(directory, 'receiver.crt')
    this.#child = fork(PROCESS, [directory, host], { execArgv: [] })
    this.#exited = once(this.#child, 'exit')
  }

  static async start(host = '127.0.0.1') {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-receiver-'))
    const files = ['-keyout', join(directory, 'receiver.key'), '-out', join(directory, 'receiver.crt')]
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const subject = ['-subj', '/CN=receiver', '-addext', `subjectAltName=IP:${host}`]
    await promisify(execFile)('openssl', ['req', '-x509', ...kind, ...subject, ...files])
    const receiver = new Receiver(directory, host)
    receiver.#port = (await receiver.#result(0)) as number
    return receiver
  }

  async [Symbol.asyncDispose]() {
    this.#child.kill()
    await this.#exited
    await rm(this.#directory, { recursive: true })
  }

  get pid() {
    return this.#child.pid ?? 0
  }

  urlOf({ name }: Pick<Endpoint, 'name'>) {
    return `https://${this.#host}:${this.#port}/${name}`
  }

  /** Adds endpoints, or changes those of the same names. */
  async set(endpoints: Endpoint[]) {
    await this.#ask({ endpoints })
  }

  /** All since it was started. */
  async count() {
    return (await this.#ask({ isCounted: true })) as Received
  }

  /** Every event that was accepted since the last call, in order. */
  async take(): Promise<Delivered[]> {
    const file = await open((await this.#ask({ isLogTaken: true })) as string)
    const delivered: Delivered[] = []
    for await (const line of file.readLines()) delivered.push(parseLine(line))
    return delivered
  }

  async #ask(order: Order) {
    const number = ++this.#orders
    const result = this.#result(number)
    this.#child.send({ number, ...order })
    return await result
  }

  async #result(number: number): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const hear = (message: { number: number; result: unknown }) => {
      if (message.number === number) resolve(message.result)
    }
    this.#child.on('message', hear)
    void this.#exited.then(() => reject(new Error('the receiver has ended')))
    return await promise.finally(() => this.#child.off('message', hear))
  }
}

export function lineOf({ endpoint, sequence, petId, version, at, eventAt, id }: Delivered) {
  return `${endpoint} ${sequence} ${petId} ${version} ${at} ${eventAt} ${id}\n`
}

function parseLine(line: string): Delivered {
  const [endpoint = '', sequence, petId, version, at, eventAt, id = ''] = line.split(' ')
  return {
    endpoint,
    sequence: Number(sequence),
    petId: Number(petId),
    version: Number(version),
    at: Number(at),
    eventAt: Number(eventAt),
    id,
  }
}
