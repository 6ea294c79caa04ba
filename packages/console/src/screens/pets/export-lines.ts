import { type Pet, stringify } from '@petstore/client'

export const FORMATS = ['NDJSON', 'CSV'] as const
export type Format = (typeof FORMATS)[number]

const COLUMNS = ['id', 'name', 'categoryId', 'status'] as const

/** A file as `petstore import` reads it. `petstore export` writes the same, but leaves names that look like formulas as they are. */
export function write(format: Format, pets: readonly Pet[]) {
  const lines =
    format === 'NDJSON'
      ? pets.map(({ id, name, categoryId, status }) => stringify({ id, name, categoryId, status }))
      : [COLUMNS.join(), ...pets.map((pet) => COLUMNS.map((column) => cell(pet[column])).join())]
  return `${lines.join('\n')}\n`
}

function cell(value: string | bigint | undefined) {
  if (typeof value !== 'string') return String(value ?? '')
  // A spreadsheet runs what begins like this.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
