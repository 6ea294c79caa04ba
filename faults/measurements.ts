/** Whatever else a fault has measured, for a reader: names as words, and no braces. */
export function readable(figures: Record<string, unknown>, lineBreak: string) {
  return Object.entries(figures)
    .map(([name, value]) => figureOf(name, value, lineBreak))
    .join(lineBreak)
}

function figureOf(name: string, value: unknown, lineBreak: string) {
  if (Array.isArray(value) && value.every(isRecord)) return [`${words(name)}:`, ...value.map(rowOf)].join(lineBreak)
  if (!isRecord(value)) return `${words(name)} ${textOf(value)}`
  const rows = Object.entries(value)
  if (!rows.every(([, row]) => isRecord(row))) return `${words(name)}: ${listOf(value)}`
  return [`${words(name)}:`, ...rows.map(([row, inner]) => rowOf({ name: row, ...(inner as object) }))].join(lineBreak)
}

/** One row of a table within a cell, by its name if it has one. */
function rowOf({ name, ...figures }: Record<string, unknown>) {
  return name === undefined ? listOf(figures) : `${textOf(name)}: ${listOf(figures)}`
}

function listOf(figures: Record<string, unknown>) {
  return (
    Object.entries(figures)
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

/** `failedWithoutRetry` as "failed without retry"; p99 stays as it is. */
function words(name: string) {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/ mb$/, ' MB')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
