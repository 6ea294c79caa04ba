import { Series } from './series.ts'

const NAME = 'petstore_request_duration_seconds'
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

// Reported for each operation from its first response on. Prometheus sees no increase in a series that begins with its first failures.
const FAILURES = [500, 503]

/**
 * How long responses took, as a histogram for a registry of prom-client. Its own histogram combines the labels again for each
 * response, which takes longer than routing the request.
 */
export class Timings {
  readonly name = NAME
  readonly #timings = new Map<string, Map<number, Series>>()

  observe(operation: string, status: number, seconds: number) {
    const series = this.#timings.get(operation)?.get(status) ?? this.#begin(operation, status)
    series.observe(seconds)
  }

  /** In the format of prom-client. */
  async get() {
    const values = Array.from(this.#timings, ([operation, byStatus]) =>
      Array.from(byStatus, ([status, series]) => series.values(NAME, { operation, status })),
    ).flat(2)
    const help = 'Responses by operation and status, with the time each took.'
    return { name: NAME, help, type: 'histogram', values, aggregator: 'sum' }
  }

  #begin(operation: string, status: number) {
    const byStatus = this.#timings.get(operation) ?? new Map(FAILURES.map((failed) => [failed, new Series(BOUNDS)]))
    this.#timings.set(operation, byStatus)
    const series = byStatus.get(status) ?? new Series(BOUNDS)
    byStatus.set(status, series)
    return series
  }
}
