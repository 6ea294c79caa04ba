/** One series of a histogram. */
export class Series {
  readonly #bounds: readonly number[]
  /** How many fell below each bound and above the one before it; the last is for those above all. */
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number) {
    let place = 0
    while (value > (this.#bounds[place] ?? Number.POSITIVE_INFINITY)) place++
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
    this.#sum += value
  }

  /** As prom-client asks for them. */
  values(name: string, labels: Record<string, string | number>) {
    let count = 0
    const buckets = this.#counts.map((within, place) => {
      count += within
      return { labels: { le: this.#bounds[place] ?? '+Inf', ...labels }, value: count, metricName: `${name}_bucket` }
    })
    return [
      ...buckets,
      { labels, value: this.#sum, metricName: `${name}_sum` },
      { labels, value: count, metricName: `${name}_count` },
    ]
  }
}
