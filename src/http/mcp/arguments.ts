import { parseInt64 } from '../../lib/int64.ts'
import { echo } from '../wire/echo.ts'
import { RequestError } from '../wire/errors.ts'
import type { Operation } from '../wire/operation.ts'
import { accepted, misnamed, type Wording } from '../wire/unknown-names.ts'
import type { Schema } from './schemas.ts'
import type { Tool } from './tools.ts'

export type Arguments = Record<string, unknown>

/** The parts of a request, as the route of an operation receives them, before validation. */
export interface Parts {
  params: Record<string, string>
  query: Record<string, string>
  headers: Record<string, string>
  body: Record<string, unknown>
}

const ARGUMENT: Wording = {
  start: 'This tool has no argument',
  nextPage: '`limit` sets the size of a page. To read the next one, send `nextCursor` of a page as `cursor`.',
}

/**
 * Rejects unknown arguments. Mistakes are named as in an HTTP request. Other unknown names, which HTTP ignores for the sake of newer
 * clients, are rejected too: the schema of a tool has `additionalProperties: false`, and a model that made an argument up would not notice
 * that it did nothing.
 */
export function requireKnown(args: Arguments, names: readonly string[]) {
  const given = Object.keys(args)
  const mistake = misnamed(given, names, ARGUMENT)
  if (mistake !== undefined) throw new RequestError('invalid_parameter', mistake)
  const stranger = given.find((name) => !names.includes(name))
  if (stranger === undefined) return
  throw new RequestError('invalid_parameter', `${ARGUMENT.start} ${echo(stranger)}. ${accepted(names)}`)
}

/** The id of the operation that the arguments choose. */
export function chosenOperation({ operation }: Tool, args: Arguments): string {
  if (typeof operation === 'string') return operation
  const value = args[operation.argument]
  const id = typeof value === 'string' && Object.hasOwn(operation.by, value) ? operation.by[value] : undefined
  if (id !== undefined) return id
  const allowed = Object.keys(operation.by).join(', ')
  throw invalid(operation.argument, `must be one of ${allowed}`, value)
}

export function toParts(tool: Tool, { params = {}, query, body }: Operation, args: Arguments): Parts {
  const parts: Parts = { params: {}, query: { ...tool.fixed }, headers: {}, body: {} }
  for (const name of Object.keys(params)) parts.params[name] = textOf(name, args[name])
  for (const [name, { header, isRequired, write, example }] of Object.entries(tool.headers ?? {})) {
    if (args[name] === undefined && !isRequired) continue
    const value = write(textOf(name, args[name]))
    if (value === undefined) throw invalid(name, `must be a string like "${example}"`, args[name])
    parts.headers[header] = value
  }
  const parameters = Object.entries<Schema>(query?.properties ?? {})
  for (const [name, schema] of parameters)
    if (args[name] !== undefined) parts.query[name] = queryText(name, args[name], schema)
  const { properties = {} }: Schema = body ?? {}
  for (const [name, schema] of Object.entries(properties))
    if (args[name] !== undefined) parts.body[name] = fieldValue(name, args[name], schema)
  return parts
}

export function textOf(name: string, value: unknown) {
  if (typeof value === 'string') return value
  if (value === undefined) throw new RequestError('invalid_parameter', `\`${name}\` is required: a string.`)
  throw invalid(name, 'must be a string', value)
}

/** As a client would write it into the URL. */
function queryText(name: string, value: unknown, schema: Schema & { maxItems?: number }): string {
  const { items, maxItems = 0 } = schema
  if (!items) return itemText(name, value, schema)
  if (!Array.isArray(value)) throw invalid(name, 'must be an array', value)
  // One more than allowed is enough to see that there are too many.
  const texts = value.slice(0, maxItems + 1).map((item) => itemText(name, item, items))
  // A comma would split it into two values.
  const several = texts.find((text) => text.includes(','))
  if (several !== undefined) throw invalid(name, 'must have each value as an item of its own', several)
  return texts.join()
}

function itemText(name: string, value: unknown, { type, format }: Schema) {
  if (format === 'int64') return digitsOf(name, value)
  if (type === 'string') return textOf(name, value)
  // Values of other types become text, which the validator of the parameter rejects.
  return typeof value === 'string' || typeof value === 'number' ? String(value) : echo(value)
}

/** A number may have lost its last digits on the way: only text is exact. */
function digitsOf(name: string, value: unknown) {
  if (typeof value === 'string') return value
  throw invalid(name, 'must have strings of digits, like "7", in place of numbers', value)
}

/** The value of a field: an int64 is parsed from its digits, any other is left to the validator of the operation. */
function fieldValue(name: string, value: unknown, { format }: Schema) {
  if (format !== 'int64') return value
  const exact = typeof value === 'string' ? parseInt64(value) : undefined
  if (exact !== undefined) return exact
  throw new RequestError(
    'invalid_body',
    `\`${name}\` must be a 64-bit integer as a string of digits, like "7"; got ${echo(value)}.`,
  )
}

function invalid(name: string, rule: string, value: unknown) {
  return new RequestError('invalid_parameter', `\`${name}\` ${rule}; got ${echo(value)}.`)
}
