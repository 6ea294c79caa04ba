import { once } from 'node:events'
import { createServer } from 'node:http'
import { type Aggregator, AggregatorRegistry, collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import { Timings } from './timings.ts'

/** What one process has counted, in a form that can be sent to another. */
export type Reading = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** What Prometheus reads, kept apart from the public interface. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #timings = new Timings()

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
    this.#registry.registerMetric(this.#timings as unknown as Metric)
  }

  observe(operation = 'none', status: number, milliseconds: number) {
    this.#timings.observe(operation, status, milliseconds / 1_000)
  }

  /** One more figure, read whenever somebody asks. */
  tell(type: 'counter' | 'gauge', name: string, help: string, read: () => number) {
    const get = async () => ({ name, help, type, values: [{ labels: {}, value: read() }], aggregator: 'sum' })
    this.#registry.registerMetric({ name, get } as unknown as Metric)
  }

  text() {
    return this.#registry.metrics()
  }

  read(): Promise<Reading> {
    return this.#registry.getMetricsAsJSON()
  }
}

// Where adding up, or what prom-client would do, says nothing about several processes: the slowest of them counts, and
// the one that was started last.
const AGGREGATORS: Record<string, Aggregator> = {
  nodejs_eventloop_lag_p50_seconds: 'max',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
  process_start_time_seconds: 'max',
}

/**
 * The metrics of several processes as those of one. What was counted by a process that has ended, or that does not
 * answer, stays in: a sum that falls looks to Prometheus like a restart, and makes every rate leap.
 */
export class CombinedMetrics {
  readonly #latest = new Map<object, Reading>()
  #ended: Promise<Reading> = Promise.resolve([])

  update(source: object, reading: Reading) {
    this.#latest.set(
      source,
      reading.map((metric) => ({ ...metric, aggregator: AGGREGATORS[metric.name] ?? metric.aggregator })),
    )
  }

  end(source: object) {
    const counted = (this.#latest.get(source) ?? []).filter(({ type }) => String(type) !== 'gauge')
    this.#latest.delete(source)
    this.#ended = this.#ended.then((ended) => AggregatorRegistry.aggregate([ended, counted]).getMetricsAsJSON())
  }

  async text() {
    return AggregatorRegistry.aggregate([await this.#ended, ...this.#latest.values()]).metrics()
  }
}

/** The private port: metrics at /metrics, nothing else. */
export async function serveMetrics(text: () => Promise<string>, host: string, port: number) {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    text().then(
      (body) => response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(body),
      () => response.writeHead(500).end(),
    )
  }).listen(port, host)
  await once(server, 'listening')
  return {
    address: `http://${host}:${port}`,
    [Symbol.dispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}
