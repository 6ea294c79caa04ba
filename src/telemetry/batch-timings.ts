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
    help: 'How long a batch, or a statement that shares none, took from when it was sent to its result.',
    bounds: SECONDS,
  },
}

const KINDS = ['items', 'wait', 'statement'] as const
type Kind = (typeof KINDS)[number]

/** Histograms of batches and statements. The three of a batch share one lookup by its name. */
export class BatchTimings {
  readonly #batches = new Map<string, Record<Kind, Series>>()
  /** For statements that share no batch. */
  readonly #alone = new Map<string, Series>()

  /** What every series has beside the name of its batch. */
  readonly #labels: Record<string, string>

  constructor(labels: Record<string, string> = {}) {
    this.#labels = labels
  }

  observe(batch: string, items: number, waitMs: number, statementMs: number) {
    const series = this.#batches.get(batch) ?? this.#begin(batch)
    series.items.observe(items)
    series.wait.observe(waitMs / 1_000)
    series.statement.observe(statementMs / 1_000)
  }

  observeStatement(name: string, ms: number) {
    const series = this.#alone.get(name) ?? new Series(HISTOGRAMS.statement.bounds)
    this.#alone.set(name, series)
    series.observe(ms / 1_000)
  }

  values(kind: Kind) {
    const all = Array.from(this.#batches, ([batch, series]) => [batch, series[kind]] as const)
    if (kind === 'statement') all.push(...this.#alone)
    return all.flatMap(([batch, series]) => series.values(HISTOGRAMS[kind].name, { ...this.#labels, batch }))
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

/** In the format of prom-client: the timings of all stores. */
export function batchMetrics(stores: readonly BatchTimings[]) {
  return KINDS.map((kind) => ({ kind, ...HISTOGRAMS[kind] })).map(({ kind, name, help }) => ({
    name,
    get: async () => {
      const values = stores.flatMap((timings) => timings.values(kind))
      return { name, help, type: 'histogram', values, aggregator: 'sum' }
    },
  }))
}
