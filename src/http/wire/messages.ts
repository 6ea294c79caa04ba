import type { ErrorObject } from 'ajv'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { INT64_MAX, INT64_MIN, parseInt64 } from '../../lib/int64.ts'
import { echo, MAX_ECHO } from './echo.ts'

const INTEGER = 'an integer'

/** How messages differ for a body, a query and the arguments of a tool. */
interface MessageOptions {
  nameOf: (path: string[]) => string
  tooManyHint: string
  int64: string
  array: string
}

interface FieldSchema {
  type?: string | string[]
  enum?: (string | null)[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  /** Ours: the bounds of an integer that has narrower ones than int64. */
  int64?: true | { minimum: number; maximum: number }
  properties?: Record<string, FieldSchema>
}

/** One sentence for each invalid field of a body, by its full path: `items[0].petId`. `int64` is how the client writes one. */
export function fieldMessages(errors: ErrorObject[], int64 = INTEGER) {
  return messages(errors, { nameOf: (path) => path.reduce(joinPath), tooManyHint: '', int64, array: 'an array' })
}

/** One sentence for each invalid query parameter, by its name: a client sends a list as one parameter. */
export function parameterMessages(errors: ErrorObject[]) {
  const tooManyHint = '; send the others in another request'
  const array = 'values, separated by commas'
  return messages(errors, { nameOf: ([name = '']) => name, tooManyHint, int64: INTEGER, array })
}

/** Together the sentences repeat no more of the input than one message may. */
function messages(errors: ErrorObject[], options: MessageOptions) {
  const byField = new Map<string, ErrorObject>()
  for (const error of errors) {
    if (error.keyword === 'if') continue // what it leads to has an error of its own
    const path = pathOf(error)
    const field = options.nameOf(path)
    if (!byField.has(field)) byField.set(field, error)
  }
  const most = Math.floor(MAX_ECHO / byField.size)
  return Array.from(byField, ([field, error]) => message(`\`${field}\``, error, most, options)).join(' ')
}

/** The names and positions that lead from the body to what is invalid. */
function pathOf({ instancePath, keyword, params }: ErrorObject) {
  const path = instancePath.split('/').slice(1)
  return keyword === 'required' ? [...path, String(params['missingProperty'])] : path
}

function joinPath(path: string, name: string) {
  return /^\d+$/.test(name) ? `${path}[${name}]` : `${path}.${name}`
}

function message(
  field: string,
  { keyword, params, data, parentSchema }: ErrorObject,
  most: number,
  options: MessageOptions,
): string {
  const got = echo(data, most)
  // Ajv knows its schemas as any object; ours have these keywords.
  const { type, minimum, maximum, minLength, maxLength, ...schema } = parentSchema as FieldSchema
  if (schema.enum) {
    const words = wordsOf(schema.enum)
    const hint = typeof data === 'string' ? didYouMean(data, words) : undefined
    return `${field} must be one of ${words.join(', ')}; got ${got}${hint ? ` — did you mean ${hint}?` : '.'}`
  }
  const limit = String(params['limit'])
  switch (keyword) {
    case 'required':
      return `${field} is required: ${kindOf(schema.properties?.[String(params['missingProperty'])], options)}.`
    case 'int64':
      return `${field} must be an integer from ${boundsOf(schema)}${quotesHint(data)}; got ${got}.`
    case 'minLength':
      return `${field} must be ${minLength} to ${maxLength} characters long; got an empty string.`
    case 'maxLength':
      return `${field} must have at most ${limit} characters; got ${Array.from(String(data)).length}.`
    case 'maxItems':
      return `${field} takes at most ${limit} values${options.tooManyHint}.`
    case 'minItems':
      return `${field} must have at least ${limit} value${limit === '1' ? '' : 's'}.`
    case 'uniqueItems':
      return `${field} must have each value only once.`
    case 'pattern':
      return `${field} ${textFault(String(data))}`
    case 'minimum':
    case 'maximum':
    case 'type':
      return type === 'integer'
        ? `${field} must be an integer from ${minimum} to ${maximum}; got ${got}.`
        : `${field} must be ${kindOf({ type: type ?? 'string' }, options)}; got ${got}.`
    default:
      return `${field} is not valid.`
  }
}

function boundsOf({ int64: bounds }: FieldSchema) {
  return typeof bounds === 'object' ? `${bounds.minimum} to ${bounds.maximum}` : `${INT64_MIN} to ${INT64_MAX}`
}

/** A string of digits in a body was meant to be a number. */
function quotesHint(data: unknown) {
  return typeof data === 'string' && parseInt64(data) !== undefined ? ', written without quotes' : ''
}

const KINDS: Record<string, string> = {
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  null: 'null',
}

function kindOf(schema: FieldSchema | undefined, { int64, array }: MessageOptions) {
  if (schema?.int64 === true) return int64
  if (schema?.enum) return `one of ${wordsOf(schema.enum).join(', ')}`
  const types = [schema?.type ?? ''].flat()
  return types.map((type) => (type === 'array' ? array : (KINDS[type] ?? INTEGER))).join(' or ')
}

function wordsOf(values: (string | null)[]) {
  return values.filter((word) => word !== null)
}

function textFault(text: string) {
  const control = /\p{Cc}/u.exec(text)?.[0].charCodeAt(0)
  if (control !== undefined)
    return `must not contain control characters; got U+${control.toString(16).toUpperCase().padStart(4, '0')}.`
  if (!text.isWellFormed()) return 'must not contain an unpaired surrogate.'
  return 'must contain at least one visible character.'
}
