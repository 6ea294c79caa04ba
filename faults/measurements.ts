/** The measurements of a fault for a reader: names as words, and no braces. */
export function readable(measurements: Record<string, unknown>, lineBreak: string) {
  return Object.entries(measurements)
    .map(([name, value]) => measurementOf(name, value, lineBreak))
    .join(lineBreak)
}

function measurementOf(name: string, value: unknown, lineBreak: string) {
  if (Array.isArray(value) && value.every(isRecord)) return [`${words(name)}:`, ...value.map(rowOf)].join(lineBreak)
  if (!isRecord(value)) return `${words(name)} ${textOf(value)}`
  const rows = Object.entries(value)
  if (!rows.every(([, row]) => isRecord(row))) return `${words(name)}: ${listOf(value)}`
  return [`${words(name)}:`, ...rows.map(([row, inner]) => rowOf({ name: row, ...(inner as object) }))].join(lineBreak)
}

/** One row of a table within a cell, by its name if it has one. */
function rowOf({ name, ...measurements }: Record<string, unknown>) {
  if (name === undefined) return listOf(measurements)
  const label = textOf(name)
  return `${LABELS[label] ?? label}: ${listOf(measurements)}`
}

function listOf(measurements: Record<string, unknown>) {
  return (
    Object.entries(measurements)
      // Counts by status come value first, so that no two numbers are side by side.
      .map(([name, value]) => (/^\d+$/.test(name) ? `${textOf(value)} × ${name}` : `${words(name)} ${textOf(value)}`))
      .join(', ')
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (!Array.isArray(value)) return String(value)
  const values = value.map(textOf)
  if (values.length > 2 && new Set(values).size === 1) return `${values[0]} (${values.length} times)`
  return values.length === 0 ? 'none' : values.join(', ')
}

/** Names that are recorded as they are, and read better otherwise. */
const LABELS: Record<string, string> = {
  anew: 'added',
  answered: 'served',
  calledWithoutRetry: 'requests without retry',
  calls: 'requests',
  refusalP99: 'rejection p99',
  refusals: 'rejections',
  refused: 'rejected',
  refusedConnections: 'rejected connections',
  'it is answered': 'after the response of the database',
  'after the answer': 'after the response of the service',
}

/** `failedWithoutRetry` as "failed without retry"; p99 stays as it is. */
function words(name: string) {
  const label = LABELS[name]
  if (label !== undefined) return label
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/ mb$/, ' MB')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
