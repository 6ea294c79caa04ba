import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Reading } from '../../telemetry/metrics.ts'
import { CommandError } from '../failure.ts'

export type Order = 'stop' | 'read metrics'

/** A worker tells where it listens, once; and then its metrics, whenever asked. */
export interface Report {
  address?: string
  reading?: Reading
}

const MAIN = new URL('../../main.ts', import.meta.url)
const RESPONSE_MS = 1_000
// Half a second for the last answers, ten for draining, half a one for what can't be closed, and a little: whoever is still
// there hangs.
const PATIENCE_MS = 11_250
// By default V8 lets the heap grow fourfold before it looks after it, and does so with several threads, which would take
// turns with the other workers rather than help.
const MEMORY = ['--max-semi-space-size=8', '--no-parallel-scavenge', '--heap-growing-percent=100']

/** A worker, seen from the process that has started it. */
export class WorkerProcess {
  readonly #child
  /** Settles when it has ended, with a word on how. */
  readonly ended: Promise<string>

  constructor(port: number) {
    // Its configuration is in the environment, as ours: nothing secret is on the command line.
    this.#child = fork(MAIN, ['worker', String(port)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [...process.execArgv, '--disable-sigusr1', ...MEMORY],
      serialization: 'advanced', // JSON has no NaN
    })
    // Node keeps what nobody hears for the next who listens: a late answer would be taken for that to the next question.
    this.#child.on('message', () => {})
    this.ended = once(this.#child, 'exit').then(
      ([code, signal]: (string | number | null)[]) => String(signal ?? `exit code ${code}`),
      (error: Error) => error.message,
    )
  }

  get pid() {
    return this.#child.pid
  }

  /** Settles with its address when it listens; fails when it ends before that. */
  async listening() {
    const listening = once(this.#child, 'message').then(([report]: Report[]) => report?.address ?? '')
    const early = this.ended.then((how) => {
      throw new CommandError(`A worker ended while it was starting (${how}). What it said stands above.`)
    })
    return Promise.race([listening, early])
  }

  /** Its metrics, unless it is too slow to tell. */
  async readMetrics() {
    const response = once(this.#child, 'message', { signal: AbortSignal.timeout(RESPONSE_MS) })
    this.#order('read metrics')
    return response.then(
      ([report]: Report[]) => report?.reading,
      () => undefined,
    )
  }

  /** Orders it to drain, which begins with that delay, and kills it if it hangs. Settles with a word on how it has ended. */
  async stop(drainDelayMs: number, patienceMs = PATIENCE_MS) {
    this.#order('stop')
    const impatience = setTimeout(() => this.#child.kill('SIGKILL'), drainDelayMs + patienceMs)
    const how = await this.ended
    clearTimeout(impatience)
    return how
  }

  #order(order: Order) {
    if (this.#child.connected) this.#child.send(order, () => {})
  }
}
