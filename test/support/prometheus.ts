import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { skipWithout } from './installed.ts'
import { until } from './until.ts'

export const OBSERVABILITY = new URL('../../deploy/observability/', import.meta.url).pathname

export const withoutPrometheus = skipWithout('/usr/bin/promtool', 'prometheus')

export const promtool = (...args: string[]) => promisify(execFile)('promtool', args)

/** The alerts as the file has them. */
export function readAlerts() {
  const blocks = readFileSync(join(OBSERVABILITY, 'alerts.yml'), 'utf8').split(/^ {6}- alert: /m)
  return blocks.slice(1).map((block) => ({
    name: /^\w+/.exec(block)?.[0] ?? '',
    expr: /^ {8}expr: (.+)$/m.exec(block)?.[1] ?? '',
    forSeconds: secondsOf(/^ {8}for: (\w+)$/m.exec(block)?.[1] ?? '0s'),
    runbook: /^ {10}runbook: (\S+)$/m.exec(block)?.[1] ?? '',
  }))
}

function secondsOf(text: string) {
  return Number.parseInt(text, 10) * (text.endsWith('m') ? 60 : 1)
}

/** The expressions of the dashboard, as Grafana would ask them for all machines. */
export function readQueries() {
  const { panels } = JSON.parse(readFileSync(join(OBSERVABILITY, 'dashboard.json'), 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr: expr.replaceAll('$instance', '.*') })),
  )
}

/** What alerts need of the machines of PostgreSQL and of its backups. */
export const MACHINE_METRICS = [
  'node_filesystem_avail_bytes',
  'node_filesystem_size_bytes',
  'petstore_backup_completed_timestamp_seconds',
]

/** What only a process with several stores has; test/http/stores/telemetry.test.ts reads them. */
export const STORE_METRICS = ['petstore_store_ready', 'petstore_store_requests_shed_total']

const WORDS = new Set(['and', 'or', 'unless', 'bool', 'by', 'without', 'on', 'ignoring', 'group_left', 'group_right'])

/** The names of metrics in an expression. */
export function metricsIn(expr: string) {
  const bare = expr
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring) *\([^)]*\)/g, ' ')
  return Array.from(bare.matchAll(/[a-zA-Z_:][\w:]*(?! *\()\b(?! *\()/g), ([name]) => name).filter(
    (name) => !WORDS.has(name),
  )
}

export interface Alert {
  labels: { alertname: string; instance?: string }
  state: 'pending' | 'firing'
}

/** A real Prometheus with our configuration, but for whom it asks and how often. */
export class Prometheus implements AsyncDisposable {
  readonly #address: string
  readonly #stop: () => Promise<void>

  private constructor(address: string, stop: () => Promise<void>) {
    this.#address = address
    this.#stop = stop
  }

  static async start(targets: string[], everySeconds: number, machine = '127.0.0.1:1') {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-prometheus-'))
    const configuration = readFileSync(join(OBSERVABILITY, 'prometheus.yml'), 'utf8')
      .replaceAll(/(scrape_interval|evaluation_interval|scrape_timeout): .*/g, `$1: ${everySeconds}s`)
      .replace(/targets: .*/, `targets: ${JSON.stringify(targets)}`)
      .replace('127.0.0.1:9100', machine)
      .replace('alerts.yml', join(OBSERVABILITY, 'alerts.yml'))
    const file = join(directory, 'prometheus.yml')
    await writeFile(file, configuration)
    const address = `127.0.0.1:${await freePort()}`
    const child = spawn(
      '/usr/bin/prometheus',
      [`--config.file=${file}`, `--storage.tsdb.path=${join(directory, 'data')}`, `--web.listen-address=${address}`],
      { stdio: 'ignore' },
    )
    const exited = once(child, 'exit')
    const prometheus = new Prometheus(`http://${address}`, async () => {
      child.kill('SIGTERM')
      await exited
      await rm(directory, { recursive: true })
    })
    await until(() => {
      if (child.exitCode !== null) throw new Error('prometheus ended')
      return prometheus.#isReady()
    })
    return prometheus
  }

  /** The values that an expression has now. */
  async query(expr: string) {
    const { result } = await this.#ask<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(
      `query?query=${encodeURIComponent(expr)}`,
    )
    return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }))
  }

  async alerts() {
    return (await this.#ask<{ alerts: Alert[] }>('alerts')).alerts
  }

  async [Symbol.asyncDispose]() {
    await this.#stop()
  }

  async #isReady() {
    return await fetch(`${this.#address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  async #ask<T>(path: string) {
    const response = await fetch(`${this.#address}/api/v1/${path}`)
    const { data, error } = (await response.json()) as { data: T; error?: string }
    if (error !== undefined) throw new Error(`${path}: ${error}`)
    return data
  }
}
