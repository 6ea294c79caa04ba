import { once } from 'node:events'
import {
  type Aggregator,
  AggregatorRegistry,
  collectDefaultMetrics,
  Registry,
  type Metric as RegistryMetric,
} from 'prom-client'
import { readBuildInfo } from '../lib/build-info.ts'
import { gauge, type LabelledValue, type Metric, type MetricValue } from '../lib/metric.ts'
import { createServer } from '../node/http.ts'
import { BatchTimings, batchMetrics } from './batch-timings.ts'
import { Timings } from './timings.ts'

/** The metrics of one process, in a form that can be sent to another. */
export type Reading = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

const PROCESSES = 'petstore_processes'

/** The metrics of this process, for Prometheus. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #timings = new Timings()
  readonly #batches: BatchTimings[] = []
  /** Metrics by name. Several parts may have metrics of one name, with different labels. */
  readonly #sources = new Map<string, Metric[]>()

  constructor({ isServing = true } = {}) {
    collectDefaultMetrics({ register: this.#registry })
    for (const metric of [this.#timings, ...batchMetrics(this.#batches)])
      this.#registry.registerMetric(metric as unknown as RegistryMetric)
    const labels = readBuildInfo()
    this.register([
      gauge('petstore_build_info', 'Version and commit of the program; always 1.', () => [{ labels, value: 1 }]),
    ])
    if (isServing) this.register([gauge(PROCESSES, 'Processes that serve.', () => 1)])
  }

  observe(operation = 'none', status: number, milliseconds: number) {
    this.#timings.observe(operation, status, milliseconds / 1_000)
  }

  /** Takes the timings of a store. Its series have these labels. */
  timingsOf(labels: Record<string, string>) {
    const timings = new BatchTimings(labels)
    this.#batches.push(timings)
    return timings
  }

  register(metrics: readonly Metric[]) {
    for (const metric of metrics) {
      const sources = this.#sources.get(metric.name)
      if (sources) sources.push(metric)
      else this.#registerFirst(metric)
    }
  }

  #registerFirst(metric: Metric) {
    const { name, help, type } = metric
    const sources = [metric]
    this.#sources.set(name, sources)
    const get = async () => {
      const values = await Promise.all(sources.map(async ({ read }) => labelled(await read())))
      return { name, help, type, values: addUp(values.flat()), aggregator: 'sum' }
    }
    this.#registry.registerMetric({ name, get } as unknown as RegistryMetric)
  }

  text() {
    return this.#registry.metrics()
  }

  read(): Promise<Reading> {
    return this.#registry.getMetricsAsJSON()
  }
}

function labelled(value: MetricValue) {
  return typeof value === 'number' ? [{ labels: {}, value }] : value
}

/** Adds up the values with the same labels, since several parts may count the same. */
function addUp(values: LabelledValue[]) {
  const sums = new Map<string, LabelledValue>()
  for (const { labels, value } of values) {
    const key = JSON.stringify(labels)
    sums.set(key, { labels, value: value + (sums.get(key)?.value ?? 0) })
  }
  return [...sums.values()]
}

// For metrics that must not be added up, or not as prom-client does: the slowest process counts, and the one that was started last; and one
// process without its Redis is one too many.
const AGGREGATORS: Record<string, Aggregator> = {
  nodejs_eventloop_lag_p50_seconds: 'max',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
  process_start_time_seconds: 'max',
  petstore_feed_lag_seconds: 'max',
  petstore_order_expiry_lag_seconds: 'max',
  petstore_rate_limit_store_up: 'min',
  petstore_build_info: 'max',
  petstore_webhooks: 'max',
  petstore_webhooks_undelivered: 'max',
  petstore_keys_expiring: 'max',
  petstore_search_pets_left: 'max',
}

/**
 * Combines the metrics of several processes. The counts of a process that has ended or does not respond stay in: a sum that falls looks to
 * Prometheus like a restart, and distorts every rate.
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

  /** The process does not respond. Its counters are still true, and so is that it exists. */
  silence(source: object) {
    const latest = this.#latest.get(source) ?? []
    this.#latest.set(
      source,
      latest.filter((metric) => isCount(metric) || metric.name === PROCESSES),
    )
  }

  end(source: object) {
    const counted = (this.#latest.get(source) ?? []).filter(isCount)
    this.#latest.delete(source)
    this.#ended = this.#ended.then((ended) => AggregatorRegistry.aggregate([ended, counted]).getMetricsAsJSON())
  }

  async text() {
    return AggregatorRegistry.aggregate([await this.#ended, ...this.#latest.values()]).metrics()
  }
}

function isCount({ type }: Reading[number]) {
  return String(type) !== 'gauge'
}

const ADMIN_LIMITS = {
  headersTimeout: 2_000,
  requestTimeout: 2_000,
  connectionsCheckingInterval: 500,
  maxHeaderSize: 8_192,
}
const MAX_ADMIN_CONNECTIONS = 50
const ADMIN_IDLE_MS = 5_000
const CLOSE = { connection: 'close' }

/**
 * The private port: metrics at /metrics, nothing else. Scrapes that arrive together share one reading, and a connection
 * carries one request, so that a burst costs no more than a single scrape.
 */
export async function serveMetrics(text: () => Promise<string>, host: string, port: number) {
  let reading: Promise<string> | undefined
  const read = () => {
    reading ??= text().finally(() => {
      reading = undefined
    })
    return reading
  }
  const server = createServer(ADMIN_LIMITS, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, CLOSE).end()
      return
    }
    read().then(
      (body) => response.writeHead(200, { ...CLOSE, 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(body),
      () => response.writeHead(500, CLOSE).end(),
    )
  })
  server.maxRequestsPerSocket = 1
  server.maxConnections = MAX_ADMIN_CONNECTIONS
  server.setTimeout(ADMIN_IDLE_MS) // closes the connection of a client that does not read
  server.listen(port, host)
  await once(server, 'listening')
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    [Symbol.dispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}
