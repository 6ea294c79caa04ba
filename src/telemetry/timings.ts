const NAME = 'petstore_request_duration_seconds'
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

// Reported for each operation from its first response on. A series that begins with its first failures looks to Prometheus as if
// there were none: it knows nothing that they could have been added to.
const FAILURES = [500, 503]

interface Timing {
  labels: { operation: string; status: number }
  /** How many fell below each bound and above the one before it; the last is for those above all. */
  counts: number[]
  seconds: number
}

/**
 * How long responses took, as a histogram for a registry of prom-client. Its own histogram combines the labels again for each
 * response, which takes longer than routing the request.
 */
export class Timings {
  readonly name = NAME
  readonly #timings = new Map<string, Map<number, Timing>>()

  observe(operation: string, status: number, seconds: number) {
    const timing = this.#timings.get(operation)?.get(status) ?? this.#begin(operation, status)
    const bound = BOUNDS.findIndex((most) => seconds <= most)
    const place = bound < 0 ? BOUNDS.length : bound
    timing.counts[place] = (timing.counts[place] ?? 0) + 1
    timing.seconds += seconds
  }

  /** As prom-client asks for it. */
  async get() {
    const values = [...this.#timings.values()].flatMap((byStatus) => [...byStatus.values()].flatMap(toValues))
    const help = 'Responses by operation and status, with the time each took.'
    return { name: NAME, help, type: 'histogram', values, aggregator: 'sum' }
  }

  #begin(operation: string, status: number) {
    const byStatus =
      this.#timings.get(operation) ?? new Map(FAILURES.map((failed) => [failed, none(operation, failed)]))
    this.#timings.set(operation, byStatus)
    const timing = byStatus.get(status) ?? none(operation, status)
    byStatus.set(status, timing)
    return timing
  }
}

function none(operation: string, status: number): Timing {
  return { labels: { operation, status }, counts: Array.from({ length: BOUNDS.length + 1 }, () => 0), seconds: 0 }
}

function toValues({ labels, counts, seconds }: Timing) {
  let count = 0
  const buckets = counts.map((within, place) => {
    count += within
    return { labels: { le: BOUNDS[place] ?? '+Inf', ...labels }, value: count, metricName: `${NAME}_bucket` }
  })
  return [
    ...buckets,
    { labels, value: seconds, metricName: `${NAME}_sum` },
    { labels, value: count, metricName: `${NAME}_count` },
  ]
}
