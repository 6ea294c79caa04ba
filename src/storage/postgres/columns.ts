/**
 * A column of many rows that PostgreSQL aggregates into one: read row by row, pets take the driver ten times as long as PostgreSQL. NULLs
 * keep their position. `string_agg` would drop them, and what follows would move to another row.
 */
interface Column<Value> {
  /** SQL that aggregates the column; NULL if there are no rows. */
  aggregate: string
  /** One value for each row. */
  read: (aggregated: unknown) => Value[]
}

/** A 64-bit integer that is never NULL. */
export function int64(name: string): Column<bigint> {
  return { aggregate: joined(`${name}::text`), read: readInt64s }
}

/** The same as text: for values that are only printed. */
export function int64Text(name: string): Column<string> {
  return { aggregate: joined(`${name}::text`), read: readInt64Texts }
}

/** Any text that is never NULL. JSON delimits the values, which may contain commas. */
export function text(name: string): Column<string> {
  return { aggregate: `json_agg(${name})`, read: readTexts }
}

/** Text out of a fixed set of words, never NULL. No word is empty or has a comma. */
export function word<Word extends string>(name: string): Column<Word> {
  return { aggregate: joined(name), read: (joinedText) => split(joinedText) as Word[] }
}

/** Any text, or NULL. */
export function optionalText(name: string): Column<string | undefined> {
  return { aggregate: `json_agg(${name})`, read: readOptionalTexts }
}

/** Text out of a fixed set of words, or NULL. No word is empty or has a comma. */
export function optionalWord<Word extends string>(name: string): Column<Word | undefined> {
  return { aggregate: joined(name), read: readWords<Word> }
}

/** SQL for a time in milliseconds since 1970; exact, since `extract` returns a numeric. */
export function millisecondsOf(column: string) {
  return `floor(extract(epoch from ${column}) * 1000)::bigint`
}

/** The same in microseconds, as exact as PostgreSQL stores it. */
export function microsecondsOf(column: string) {
  return `(extract(epoch from ${column}) * 1000000)::bigint`
}

function joined(expression: string) {
  return `string_agg(coalesce(${expression}, ''), ',')`
}

type Columns<Row> = { [Name in keyof Row]-?: Column<Row[Name]> }
type Values<Row> = { [Name in keyof Row]-?: Row[Name][] }

/** The select list for these columns, and how its one row is read. */
export function aggregateOf<Row>(columns: Columns<Row>) {
  const list = Object.entries(columns) as [keyof Row & string, Column<unknown>][]
  return {
    selectList: list.map(([name, { aggregate }]) => `${aggregate} as "${name}"`).join(', '),
    /** The values of each column, as many of each as there are rows. */
    decode(row: Record<keyof Row, unknown>): Values<Row> {
      const values: Partial<Record<keyof Row, unknown[]>> = {}
      let length: number | undefined
      for (const [name, { read }] of list) {
        const column = row[name] === null ? [] : read(row[name])
        length ??= column.length
        if (column.length !== length)
          throw new Error(`the column ${name} has ${column.length} values for ${length} rows`)
        values[name] = column
      }
      return values as Values<Row>
    },
  }
}

/** The value at this position of a list, which has one for each row. */
export function valueAt<Value>(values: readonly Value[], position: number): Value {
  const value = values[position]
  if (value === undefined) throw new Error('a value is missing in a list')
  return value
}

/** Parses integers that are joined by commas. Throws unless there are as many as expected. */
export function int64sOf(joinedText: string | undefined, expected: number) {
  const values = readInt64s(joinedText ?? '')
  if (values.length !== expected) throw new Error(`a list has ${values.length} integers instead of ${expected}`)
  return values
}

function readInt64s(joinedText: unknown) {
  return split(joinedText).map(toInt64)
}

function readInt64Texts(joinedText: unknown) {
  const values = split(joinedText)
  if (values.includes('')) throw new Error('an integer is missing in a list')
  return values
}

/** `BigInt` would read an empty text as 0. */
function toInt64(digits: string) {
  if (!digits) throw new Error('an integer is missing in a list')
  return BigInt(digits)
}

function readTexts(values: unknown) {
  if (!isTexts(values)) throw new Error('a text is missing in a list')
  return values
}

function readOptionalTexts(values: unknown) {
  if (!Array.isArray(values)) throw new Error('a list of texts is missing')
  return values.map((value: unknown) => (typeof value === 'string' ? value : undefined))
}

function isTexts(values: unknown): values is string[] {
  return Array.isArray(values) && !values.includes(null)
}

function readWords<Word extends string>(joinedText: unknown) {
  const words: (string | undefined)[] = split(joinedText)
  for (let i = 0; i < words.length; i++) if (words[i] === '') words[i] = undefined
  return words as (Word | undefined)[]
}

function split(joinedText: unknown) {
  return String(joinedText).split(',')
}
