import { Series } from './series.ts'

const ITEMS = [1, 2, 5, 10, 20, 50, 100, 200]
const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2.5, 5]

const HISTOGRAMS = {
  items: {
    name: 'petstore_batch_items',
    help: 'Requests that shared a statement, by what they asked for.',
    bounds: ITEMS,
  },
  wait: {
    name: 'petstore_batch_wait_seconds',
    help: 'How long the first request of a batch waited until the batch was sent.',
    bounds: SECONDS,
  },
  statement: {
    name: 'petstore_statement_seconds',
    help: 'How long a batch took from when it was sent to its result.',
    bounds: SECONDS,
  },
}

type Kind = keyof typeof HISTOGRAMS

/** What batches report when they end: as histograms that share the search for their labels. */
export class BatchTimings {
  readonly #batches = new Map<string, Record<Kind, Series>>()

  observe(batch: string, items: number, waitMs: number, statementMs: number) {
    const series = this.#batches.get(batch) ?? this.#begin(batch)
    series.items.observe(items)
    series.wait.observe(waitMs / 1_000)
    series.statement.observe(statementMs / 1_000)
  }

  /** As prom-client asks for them. */
  get metrics() {
    return Object.entries(HISTOGRAMS).map(([kind, { name, help }]) => ({
      name,
      get: async () => {
        const values = Array.from(this.#batches, ([batch, series]) => series[kind as Kind].values(name, { batch }))
        return { name, help, type: 'histogram', values: values.flat(), aggregator: 'sum' }
      },
    }))
  }

  #begin(batch: string) {
    const series = {
      items: new Series(HISTOGRAMS.items.bounds),
      wait: new Series(HISTOGRAMS.wait.bounds),
      statement: new Series(HISTOGRAMS.statement.bounds),
    }
    this.#batches.set(batch, series)
    return series
  }
}
