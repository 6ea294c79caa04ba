import { type TSchema, Type } from 'typebox'
import { ERROR_CODES, type ErrorCode } from './error-codes.ts'

/** Decoded to a bigint by the validator; printed digit for digit. */
export const Int64 = (options: object = {}) => Type.Unsafe<bigint>({ type: 'integer', format: 'int64', ...options })

/** Decoded to a number, however it is written: `5`, `5.0`, `5e0`. */
export const Int32 = (options: {
  minimum: number
  maximum: number
  default?: number
  description: string
  examples: number[]
}) => Type.Unsafe<number>({ type: 'integer', format: 'int32', ...options })

export const Moment = (description: string, example: string) =>
  Type.String({ format: 'date-time', description, examples: [example] })

/** Text for people. The validator checks `visibleText`; the description must state the rule. */
export const VisibleText = (options: {
  minLength: number
  maxLength: number
  description: string
  examples: string[]
}) => Type.String({ ...options, visibleText: true })

// No control character, no half of a surrogate pair, and at least one visible character. Not published as a `pattern`: only
// JavaScript has all of these properties, and other regex engines reject the whole document because of it.
export const VISIBLE_TEXT =
  '^(?=[^\\p{Cc}]*?[^\\p{White_Space}\\p{Cf}\\p{Cc}\\p{Default_Ignorable_Code_Point}])[^\\p{Cc}\\p{Cs}]*$'

/** The name under which a schema is shared, if it is. */
export function idOf(schema: TSchema) {
  return '$id' in schema && typeof schema.$id === 'string' ? schema.$id : undefined
}

/** Marks what may still change: a schema, a field, a parameter or a header. docs/versioning.md says when it ends. */
export const BETA = { 'x-stability': 'beta', 'x-stability-level': 'beta' } as const

export const ErrorSchema = Type.Object(
  {
    code: Type.Unsafe<ErrorCode>({
      type: 'string',
      description: 'Machine-readable error code. Later versions may return codes that are not listed here.',
      examples: ERROR_CODES,
    }),
    message: Type.String({ description: 'Human-readable description: what was wrong and what is allowed.' }),
    status: Type.Integer({ description: 'The HTTP status code of the response.' }),
  },
  { $id: 'Error', description: 'The body of every response that is not a success.' },
)
