export class Series {
  readonly #bounds: readonly number[]
  /** How many values are up to each bound and above the one before it. The last is for those above all bounds. */
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number) {
    let bucket = 0
    while (value > (this.#bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket++
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += value
  }

  /** In the format of prom-client. */
  values(name: string, labels: Record<string, string | number>) {
    let count = 0
    const buckets = this.#counts.map((within, i) => {
      count += within
      return { labels: { le: this.#bounds[i] ?? '+Inf', ...labels }, value: count, metricName: `${name}_bucket` }
    })
    return [
      ...buckets,
      { labels, value: this.#sum, metricName: `${name}_sum` },
      { labels, value: count, metricName: `${name}_count` },
    ]
  }
}
