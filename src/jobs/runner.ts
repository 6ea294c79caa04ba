import { setTimeout as sleep } from 'node:timers/promises'
import { backgroundFailures } from '../lib/metric.ts'
import { reasonOf } from '../lib/reason.ts'
import { DatabaseUnavailable } from '../storage/postgres/failures.ts'

/** Work that a process repeats in the background. */
export interface Job {
  /** Its label in `petstore_background_failures_total`. */
  task: string
  intervalMs: number
  /** The first interval, if it differs. */
  firstMs?: number
  /** Makes each interval half to one and a half times as long: processes that were started together need not work together. */
  hasJitter?: boolean
  /** Runs one round. It ends early when the signal aborts. One that fails is repeated in the next interval. */
  run: (closing: AbortSignal) => Promise<void>
  /** A last round at shutdown. */
  finish?: () => Promise<void>
  /** The log line for a round that fails after one that did not. */
  failure: string
}

export interface RunnerOptions {
  log: { info: (details: object, message: string) => void; warn: (details: object, message: string) => void }
  /** Whether the log already has the cause of a failure. */
  isLogged: (error: unknown) => boolean
}

/** Runs background jobs, and stops them when it is disposed of. */
export class JobRunner implements AsyncDisposable {
  readonly metrics = [backgroundFailures(() => this.failures)]
  readonly #options: RunnerOptions
  readonly #closing = new AbortController()
  readonly #jobs: RunningJob[]
  #running: Promise<unknown> = Promise.resolve()

  constructor(jobs: readonly Job[], options: RunnerOptions) {
    this.#options = options
    this.#jobs = jobs.map((job) => ({ job, failures: 0, isFailing: false }))
  }

  start() {
    this.#running = Promise.all(this.#jobs.map((running) => this.#repeat(running)))
  }

  get failures() {
    return Object.fromEntries(this.#jobs.map(({ job, failures }) => [job.task, failures]))
  }

  async [Symbol.asyncDispose]() {
    this.#closing.abort()
    await this.#running
    await Promise.all(this.#jobs.map((running) => this.#round(running, running.job.finish)))
  }

  async #repeat(running: RunningJob) {
    const { run, intervalMs, firstMs = intervalMs, hasJitter = false } = running.job
    const { signal } = this.#closing
    const wait = (ms: number) => pause(hasJitter ? ms * (0.5 + Math.random()) : ms, signal)
    for (let isOpen = await wait(firstMs); isOpen; isOpen = await wait(intervalMs))
      await this.#round(running, () => run(signal))
  }

  /** One log line when the job begins to fail, and one when it works again: an outage of an hour must not fill the log. */
  async #round(running: RunningJob, work: (() => Promise<void>) | undefined) {
    const { log, isLogged } = this.#options
    const { task, failure } = running.job
    try {
      await work?.()
      if (running.isFailing) log.info({ task }, 'the background task works again')
      running.isFailing = false
    } catch (error) {
      running.failures++
      if (running.isFailing || isLogged(error)) return
      // A stack does not help if the database is unavailable.
      const cause = error instanceof DatabaseUnavailable ? { reason: reasonOf(error) } : { err: error }
      log.warn({ task, ...cause }, failure)
      running.isFailing = true
    }
  }
}

interface RunningJob {
  readonly job: Job
  failures: number
  /** Set once the failure is logged. */
  isFailing: boolean
}

/** False when the wait was ended by the signal. */
export function pause(ms: number, signal: AbortSignal) {
  return sleep(ms, true, { signal, ref: false }).catch(() => false)
}
