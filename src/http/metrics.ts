import { createServer, type Server } from 'node:http'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** What Prometheus reads, kept apart from the public interface. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = new Histogram({
    name: 'petstore_request_duration_seconds',
    help: 'Requests answered, by operation and status, with the time each took.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.#registry],
  })

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
  }

  observe(operation: string | undefined, status: number, milliseconds: number) {
    this.#requests.observe({ operation: operation ?? 'none', status }, milliseconds / 1_000)
  }

  /** A server for the private port: metrics at /metrics, nothing else. */
  createServer(): Server {
    return createServer((request, response) => {
      if (request.method !== 'GET' || request.url !== '/metrics') {
        response.writeHead(404).end()
        return
      }
      this.#registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': this.#registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      )
    })
  }
}
