import type { ErrorObject } from 'ajv'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { INT64_MAX, INT64_MIN, parseInt64 } from '../../lib/int64.ts'
import { echo, MAX_ECHO } from './echo.ts'

interface FieldSchema {
  type?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  properties?: Record<string, FieldSchema>
}

/** One sentence for each field at fault. Together they repeat no more of the input than one message may. */
export function sentences(errors: ErrorObject[]) {
  const byField = new Map<string, ErrorObject>()
  for (const error of errors) {
    const field =
      error.keyword === 'required' ? String(error.params['missingProperty']) : error.instancePath.split('/')[1]
    if (field === undefined) return notAnObject(error.data)
    if (!byField.has(field)) byField.set(field, error)
  }
  const most = Math.floor(MAX_ECHO / byField.size)
  return Array.from(byField, ([field, error]) => sentence(`\`${field}\``, error, most)).join(' ')
}

export function notAnObject(body: unknown) {
  return `The body must be a JSON object; got ${echo(body)}.`
}

function sentence(field: string, { keyword, params, data, parentSchema }: ErrorObject, most: number): string {
  const got = echo(data, most)
  const { type, minimum, maximum, ...schema } = parentSchema as FieldSchema
  if (schema.enum) {
    const hint = typeof data === 'string' ? didYouMean(data, schema.enum) : undefined
    return `${field} must be one of ${schema.enum.join(', ')}; got ${got}${hint ? ` — did you mean ${hint}?` : '.'}`
  }
  const limit = String(params['limit'])
  switch (keyword) {
    case 'required':
      return `${field} is required: ${kindOf(schema.properties?.[String(params['missingProperty'])])}.`
    case 'int64':
      return `${field} must be an integer from ${INT64_MIN} to ${INT64_MAX}${quotesHint(data)}; got ${got}.`
    case 'minLength':
      return `${field} must not be empty; it takes 1 to 255 characters.`
    case 'maxLength':
      return `${field} must have at most ${limit} characters; got ${Array.from(data as string).length}.`
    case 'maxItems':
      return `${field} takes at most ${limit} values; send the others in another request.`
    case 'pattern':
      return `${field} ${nameFault(data as string)}`
    case 'minimum':
    case 'maximum':
    case 'type':
      return type === 'integer'
        ? `${field} must be an integer from ${minimum} to ${maximum}; got ${got}.`
        : `${field} must be a ${type}; got ${got}.`
    default:
      return `${field} is not valid.`
  }
}

/** A string of digits in a body was meant to be a number. */
function quotesHint(data: unknown) {
  return typeof data === 'string' && parseInt64(data) !== undefined ? ', written without quotes' : ''
}

function kindOf(schema: FieldSchema | undefined) {
  return schema?.type === 'string' ? 'a string' : 'an integer'
}

function nameFault(name: string) {
  const control = /\p{Cc}/u.exec(name)?.[0].charCodeAt(0)
  if (control !== undefined)
    return `must not hold control characters; got U+${control.toString(16).toUpperCase().padStart(4, '0')}.`
  if (!name.isWellFormed()) return 'must not hold half of a surrogate pair.'
  return 'must hold at least one visible character.'
}
