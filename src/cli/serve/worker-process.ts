import { fork } from 'node:child_process'
import { once } from 'node:events'
import { SUPERVISOR_TIMES } from '../../lib/times.ts'
import type { Reading } from '../../telemetry/metrics.ts'
import { CommandError } from '../failure.ts'

export type Order = 'stop' | 'read metrics'

/** A worker reports its URL once it listens, with what seems wrong with the settings, and its metrics on request. */
export interface Report {
  address?: string
  warnings?: readonly string[]
  reading?: Reading
}

const MAIN = new URL('../../start.js', import.meta.url)
// By default V8 lets the heap grow fourfold before it collects, and collects with several threads, which would compete
// with the other workers.
const MEMORY = ['--max-semi-space-size=8', '--no-parallel-scavenge', '--heap-growing-percent=100']

/** A worker, as its parent process sees it. */
export class WorkerProcess {
  readonly #child
  /** Settles when it has exited, with its signal or exit code. */
  readonly ended: Promise<string>

  constructor(port: number, env: NodeJS.ProcessEnv) {
    // The configuration is passed in the environment, so that no secret is on the command line.
    this.#child = fork(MAIN, ['worker', String(port)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [...process.execArgv, '--disable-sigusr1', ...MEMORY],
      env,
      serialization: 'advanced', // JSON has no NaN
    })
    // Without a listener Node keeps messages for the next one: a late response would be taken for the next one.
    this.#child.on('message', () => {})
    this.ended = once(this.#child, 'exit').then(
      ([code, signal]: (string | number | null)[]) => String(signal ?? `exit code ${code}`),
      (error: Error) => error.message,
    )
  }

  get pid() {
    return this.#child.pid
  }

  /** Settles with its URL, and with its warnings, when it listens; fails if it exits before that. */
  async listening() {
    const listening = once(this.#child, 'message').then(([report]: Report[]) => ({
      address: report?.address ?? '',
      warnings: report?.warnings ?? [],
    }))
    const early = this.ended.then((how) => {
      throw new CommandError(`A worker ended while it was starting (${how}). See its output above.`)
    })
    return Promise.race([listening, early])
  }

  /** Its metrics; undefined if it does not respond in time. */
  async readMetrics() {
    const response = once(this.#child, 'message', { signal: AbortSignal.timeout(SUPERVISOR_TIMES.metricsMs) })
    this.#order('read metrics')
    return response.then(
      ([report]: Report[]) => report?.reading,
      () => undefined,
    )
  }

  /** Makes it drain, which begins with the delay, and kills it if it hangs. Settles with its signal or exit code. */
  async stop(drainDelayMs: number, patienceMs = SUPERVISOR_TIMES.workerMs) {
    this.#order('stop')
    const killer = setTimeout(() => this.#child.kill('SIGKILL'), drainDelayMs + patienceMs)
    const how = await this.ended
    clearTimeout(killer)
    return how
  }

  #order(order: Order) {
    if (this.#child.connected) this.#child.send(order, () => {})
  }
}
