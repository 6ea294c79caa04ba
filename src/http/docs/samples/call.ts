import type { OperationDoc } from '../reference.ts'

/** A request to show in every language. */
export interface Call {
  operation: string
  method: string
  url: string
  /** Without the key. */
  headers: [name: string, value: string][]
  body: unknown
  /** Whether the response has a body. */
  hasResponse: boolean
  /** The parameters by name. */
  values: Record<string, unknown>
}

// The optional parameters of a query that a first request is likely to have; those that are required, it has.
const SHOWN = ['limit', 'status']

/** The request of an operation with the values of its examples. */
export function callOf({ id, method, path, body, success, operation }: OperationDoc, baseUrl: string): Call {
  const { parameters = [] } = operation
  const values = Object.fromEntries(parameters.map(({ name, example }) => [name, example]))
  const query = parameters
    .filter(({ in: place, name, required }) => place === 'query' && (required || SHOWN.includes(name)))
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
  const headers = parameters
    .filter(({ in: place }) => place === 'header')
    .map(({ name, example }): [string, string] => [name, String(example)])
  return {
    operation: id,
    method,
    url: `${baseUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: [...(body ? [['Content-Type', body.type] satisfies [string, string]] : []), ...headers],
    body: body?.examples[0],
    hasResponse: success.type !== undefined,
    values,
  }
}

/** How a language writes a value of JSON. */
interface Notation {
  string: (text: string) => string
  integer: (name: string, digits: string) => string
  null: string
  name: (text: string) => string
  /** The text between the braces and the fields. */
  padding: string
}

// Longer lines do not fit beside the text.
const LINE = 44

/** A value on one line, or, if that is long, with a line for each field. */
function literal(value: unknown, notation: Notation, indent: string, name = ''): string {
  if (typeof value === 'string') return notation.string(value)
  if (typeof value === 'number' || typeof value === 'bigint') return notation.integer(name, String(value))
  if (typeof value !== 'object' || value === null) return notation.null
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, notation, indent)).join(', ')}]`
  const fields = Object.entries(value).map(
    ([key, item]) => `${notation.name(key)}: ${literal(item, notation, indent, key)}`,
  )
  if (fields.length === 0) return '{}'
  const line = fields.join(', ')
  if (line.length <= LINE) return `{${notation.padding}${line}${notation.padding}}`
  const step = indent === '' ? '  ' : indent
  return `{\n${fields.map((field) => `${indent}${step}${field}`).join(',\n')}\n${indent}}`
}

const JSON_NOTATION: Notation = {
  string: (text) => JSON.stringify(text),
  integer: (_, digits) => digits,
  null: 'null',
  name: (text) => JSON.stringify(text),
  padding: '',
}
const PYTHON_NOTATION = { ...JSON_NOTATION, null: 'None' }

const INT64_FIELDS = ['categoryId', 'petId']
const TYPESCRIPT_NOTATION: Notation = {
  string: (text) => `'${text.replaceAll("'", "\\'")}'`,
  integer: (name, digits) => (INT64_FIELDS.includes(name) ? `${digits}n` : digits),
  null: 'null',
  name: (text) => text,
  padding: ' ',
}

/** `indent` is that of the line on which the value begins. */
export const json = (value: unknown, indent: string) => literal(value, JSON_NOTATION, indent)
export const python = (value: unknown, indent: string) => literal(value, PYTHON_NOTATION, indent)
export const typescript = (value: unknown) => literal(value, TYPESCRIPT_NOTATION, '')
