import { setTimeout as sleep } from 'node:timers/promises'
import type { Clause, Context } from './clause.ts'
import { keepHerd } from './herd.ts'
import { InFlight } from './in-flight.ts'
import { MadeWebhooks } from './made-webhooks.ts'
import { type Keys, redact } from './placeholders.ts'
import { RawConnection } from './raw.ts'
import { Lost, Violation } from './response.ts'
import { Wire } from './wire.ts'

export interface Failure {
  request: string
  expected: string
  /** What came, in a few words. */
  seen: string
  response: string
  curl: string
}

export interface Outcome {
  clause: Clause
  ms: number
  failure?: Failure
  /** Why it was not tried. */
  notTried?: string
}

export interface Attempt {
  outcome: Outcome
  /** Set when no response came, or the server was gone: then the failure may be the fault of another clause. */
  lost?: Violation
  gone: boolean
}

const BACK_MS = 5_000

/** What clauses are tried with. Nothing of it outlives the run, also where a clause that failed left a connection or a webhook. */
export class Attempts implements AsyncDisposable {
  readonly #base: URL
  readonly #keys: Keys
  readonly #opened = new DisposableStack()
  readonly #inFlight = new InFlight()
  readonly #wire: Wire
  readonly #webhooks: MadeWebhooks
  #context: Context

  constructor(base: URL, keys: Keys) {
    this.#base = base
    this.#keys = keys
    this.#wire = this.#opened.use(new Wire(base, keys, this.#inFlight))
    this.#webhooks = new MadeWebhooks((request) => this.#wire.call(request))
    this.#context = this.#newContext()
  }

  async try(clause: Clause): Promise<Attempt> {
    const started = performance.now()
    const outcome = () => ({ clause, ms: performance.now() - started })
    try {
      await clause.run(this.#context)
      return { outcome: outcome(), gone: false }
    } catch (error) {
      if (!(error instanceof Violation)) throw error
      const { request, expected, seen, response } = error
      const failure = { request: request.shown, expected, seen, response, curl: request.curl }
      for (const name of ['request', 'expected', 'seen', 'response', 'curl'] as const)
        failure[name] = redact(failure[name], this.#keys)
      const failed = { ...outcome(), failure }
      const gone = !(await this.#listens())
      if (gone) failure.seen = 'the server stopped'
      // The next server may have forgotten the pets that clauses share.
      if (gone) this.#context = this.#newContext()
      return gone || error instanceof Lost ? { outcome: failed, lost: error, gone } : { outcome: failed, gone }
    }
  }

  /** Whether the server responds, at once or in some time. */
  async back() {
    const deadline = performance.now() + BACK_MS
    while (!(await this.#listens())) {
      if (performance.now() > deadline) return false
      await sleep(50)
    }
    return true
  }

  async [Symbol.asyncDispose]() {
    await this.#webhooks.deleteAll()
    this.#opened.dispose()
  }

  #newContext(): Context {
    const connect = async () => this.#opened.use(await RawConnection.open(this.#base, this.#keys, this.#inFlight))
    return {
      basePath: this.#base.pathname.replace(/\/$/, ''),
      call: (request) => this.#webhooks.call(request),
      connect,
      exchange: async (bytes, { end = false } = {}) => {
        const connection = (await connect()).send(bytes)
        return (end ? connection.end() : connection).untilClosed()
      },
      ...keepHerd(this.#wire),
    }
  }

  /** On a connection of its own, since those that are kept may be those of a server that is gone. */
  async #listens() {
    using wire = new Wire(this.#base, this.#keys, new InFlight())
    try {
      await wire.call({ path: '/pets' })
      return true
    } catch (error) {
      return !(error instanceof Lost)
    }
  }
}
