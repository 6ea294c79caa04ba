/** One value, or one for each set of labels. */
export type MetricValue = number | LabelledValue[]

export interface LabelledValue {
  labels: Record<string, string>
  value: number
}

/** A metric that is read on each scrape, and costs requests nothing. docs/metrics.md explains each. */
export interface Metric {
  type: 'counter' | 'gauge'
  name: string
  help: string
  read: () => MetricValue | Promise<MetricValue>
}

/** A part of the process that has metrics of its own. */
export interface Measured {
  readonly metrics: readonly Metric[]
}

export function gauge(name: string, help: string, read: Metric['read']): Metric {
  return { type: 'gauge', name, help, read }
}

export function counter(name: string, help: string, read: Metric['read']): Metric {
  return { type: 'counter', name, help, read }
}

/** Turns each property into a value, labelled with its name. */
export function byLabel(label: string, values: Record<string, number>): MetricValue {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))
}

/** The same metrics, each value with these labels too. */
export function withLabels(labels: Record<string, string>, metrics: readonly Metric[]): Metric[] {
  const labelled = (value: MetricValue) =>
    (typeof value === 'number' ? [{ labels: {}, value }] : value).map((each) => ({
      ...each,
      labels: { ...labels, ...each.labels },
    }))
  return metrics.map((metric) => ({ ...metric, read: async () => labelled(await metric.read()) }))
}

/** Counts writes whose outcome is unknown, in one of the parts of a process. */
export function outcomesUnknown(read: () => number): Metric {
  return counter('petstore_outcomes_unknown_total', 'Batches of writes whose outcome is unknown.', read)
}

/** Counts failures of background work, in one of the parts of a process. */
export function backgroundFailures(read: () => Record<string, number>): Metric {
  const help = 'Background tasks that failed and will be repeated, by task.'
  return counter('petstore_background_failures_total', help, () => byLabel('task', read()))
}
