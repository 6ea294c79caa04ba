import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Config, settingsOf } from '../../config.ts'
import { clearTextWarnings } from '../../lib/clear-text.ts'
import { consoleNotes } from '../../lib/console-build.ts'
import { logStart, openLog } from '../../telemetry/log.ts'
import { CombinedMetrics, serveMetrics } from '../../telemetry/metrics.ts'
import { freePort } from '../dev/embedded-postgres.ts'
import type { Io } from '../io.ts'
import { WorkerProcess } from './worker-process.ts'

// A worker that exits soon after its start will probably do so again, so the pause before the next one doubles.
const SETTLED_MS = 10_000
const MIN_PAUSE_MS = 100
const MAX_PAUSE_MS = 10_000

/** Serves with several processes that the operator sees as one: one port, one shutdown, one /metrics. */
export async function serveByWorkers(config: Config, { env, logTo }: Io, stop: Promise<void>) {
  const { host, port, adminHost, adminPort, workers: count, drainDelayMs, logLevel } = config
  const { log } = openLog(logLevel, logTo)
  logStart(log, settingsOf(config), config.warnings)
  // Workers would share the port even with those of another `petstore serve`, so check first that it is free.
  await using workers = new Workers(await freePort(host, port), env, drainDelayMs, log)
  using admin = adminPort === 0 ? undefined : await serveMetrics(() => workers.readMetrics(), adminHost, adminPort)
  const listening = await Promise.all(Array.from({ length: count }, () => workers.add()))
  if (admin) log.info(`Metrics at ${admin.address}/metrics`)
  // Each worker has found the same.
  const warnings = new Set(listening.flatMap((worker) => worker.warnings))
  for (const warning of [...warnings, ...clearTextWarnings(config)]) log.warn(warning)
  for (const note of consoleNotes(config)) log.info(note)
  log.info(`Server listening at ${listening[0]?.address}`)
  await stop
  return 0
}

class Workers implements AsyncDisposable {
  readonly #port: number
  readonly #env: NodeJS.ProcessEnv
  readonly #drainDelayMs: number
  readonly #log: Logger
  readonly #metrics = new CombinedMetrics()
  readonly #running = new Set<WorkerProcess>()
  readonly #ending = new AbortController()

  constructor(port: number, env: NodeJS.ProcessEnv, drainDelayMs: number, log: Logger) {
    this.#port = port
    this.#env = env
    this.#drainDelayMs = drainDelayMs
    this.#log = log
  }

  /** Starts a worker, and settles when it listens, with what it reports. It is replaced whenever it exits after that. */
  async add() {
    const worker = this.#start()
    const report = await worker.listening()
    void this.#keep(worker)
    return report
  }

  async readMetrics() {
    await Promise.all(
      Array.from(this.#running, async (worker) => {
        const reading = await worker.readMetrics()
        if (!this.#running.has(worker)) return
        if (reading) this.#metrics.update(worker, reading)
        else this.#metrics.silence(worker)
      }),
    )
    return this.#metrics.text()
  }

  /** Waits until every worker has drained and exited. */
  async [Symbol.asyncDispose]() {
    this.#ending.abort()
    await Promise.all(Array.from(this.#running, (worker) => this.#drain(worker)))
  }

  async #drain(worker: WorkerProcess) {
    const how = await worker.stop(this.#drainDelayMs)
    if (how !== 'exit code 0') this.#log.warn({ worker: worker.pid, how }, 'a worker ended before it had drained')
  }

  #start() {
    const worker = new WorkerProcess(this.#port, this.#env)
    this.#running.add(worker)
    void worker.ended.then(() => this.#forget(worker))
    return worker
  }

  #forget(worker: WorkerProcess) {
    this.#running.delete(worker)
    this.#metrics.end(worker)
  }

  async #keep(first: WorkerProcess) {
    const { signal } = this.#ending
    for (let worker = first, pause = 0; ; worker = this.#start()) {
      const started = performance.now()
      const how = await worker.ended
      if (signal.aborted) return
      const settled = performance.now() - started > SETTLED_MS
      pause = settled ? 0 : Math.min(Math.max(pause * 2, MIN_PAUSE_MS), MAX_PAUSE_MS)
      this.#log.error({ worker: worker.pid, how }, `a worker ended by itself; another will start in ${pause} ms`)
      await sleep(pause, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
    }
  }
}
