import { Ajv } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import { DomainError } from '../../domain/errors.ts'
import { int64FromJsonNumber, parseInt64 } from '../../lib/int64.ts'
import { CheckedNewPet, PetStatus } from '../pets/schemas.ts'
import { echo } from './echo.ts'
import { type ErrorCode, Refusal } from './errors.ts'
import { NumberLiteral } from './json.ts'
import { notAnObject, sentences } from './messages.ts'

// No coercion, no defaults, nothing removed: what was sent is judged as it was sent.
// The schemas themselves are judged by the tests, not at every start.
const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, validateFormats: false, validateSchema: false })

// Ajv's `integer` knows only numbers. This keyword takes the place of `{ type: integer, format: int64 }`, and leaves a
// bigint, whatever the parser delivered.
ajv.addKeyword({
  keyword: 'int64',
  modifying: true,
  errors: false,
  validate: (
    _: unknown,
    value: unknown,
    __: unknown,
    at?: { parentData: Record<string, unknown>; parentDataProperty: string | number },
  ) => {
    const exact = toInt64(value)
    if (exact === undefined) return false
    if (at) at.parentData[at.parentDataProperty] = exact
    return true
  },
})

for (const shared of [PetStatus, CheckedNewPet]) ajv.addSchema(withInt64Keyword(shared))

function toInt64(value: unknown) {
  if (typeof value === 'bigint') return value
  if (value instanceof NumberLiteral) return int64FromJsonNumber(value.source)
  return Number.isInteger(value) ? BigInt(value as number) : undefined
}

/** Turns the parts of a request into what their schemas say, or into a sentence that says how to fix the request. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'params') return compileParams(schema as TObject)
  return httpPart === 'querystring' ? compileQuery(schema as TObject) : compileBody(schema)
}

export function compileBody<T extends TSchema>(schema: T) {
  const check = compile(schema)
  return (body: unknown): { error: Refusal; value?: never } | { error?: never; value: Static<T> } => {
    if (body instanceof NumberLiteral) return { error: new Refusal('invalid_body', notAnObject(body)) }
    const errors = check(body)
    return errors ? { error: new Refusal('invalid_body', sentences(errors)) } : { value: body as Static<T> }
  }
}

interface ParameterSchema {
  type?: string
  maxItems?: number
}

/** A query arrives as text: each parameter is read as its schema says, then judged like any other value. */
function compileQuery(schema: TObject) {
  const check = compile(schema)
  const parameters = Object.entries(schema.properties)
  return (query: Record<string, string | string[]>) => {
    const value: Record<string, unknown> = {}
    for (const [name, parameter] of parameters) {
      const text = query[name]
      if (text === undefined) continue
      const code: ErrorCode = name === 'cursor' ? 'invalid_cursor' : 'invalid_parameter'
      if (Array.isArray(text)) return { error: new Refusal(code, givenTwice(name, parameter)) }
      value[name] = readParameter(text, parameter)
    }
    const errors = check(value)
    return errors ? { error: new Refusal('invalid_parameter', sentences(errors)) } : { value }
  }
}

/** An identifier that is not an int64 in its canonical form names nothing that can exist. */
function compileParams(schema: TObject) {
  const names = Object.keys(schema.properties)
  return (params: Record<string, string>) => {
    const value: Record<string, bigint> = {}
    for (const name of names) {
      const text = params[name] ?? ''
      const id = parseInt64(text)
      if (id === undefined) return { error: new DomainError('pet_not_found', `No pet has the id ${echo(text)}.`) }
      value[name] = id
    }
    return { value }
  }
}

function givenTwice(name: string, { type }: ParameterSchema) {
  return type === 'array'
    ? `\`${name}\` must be given only once; separate its values with commas, as in ${name}=1,2.`
    : `\`${name}\` must be given only once.`
}

function readParameter(text: string, { type, maxItems = 0 }: ParameterSchema) {
  if (type === 'integer') return /^(?:0|-?[1-9][0-9]{0,8})$/.test(text) ? Number(text) : text
  // One more than allowed shows that there are too many.
  if (type === 'array') return text.split(',', maxItems + 1).map((item) => parseInt64(item) ?? item)
  return text
}

function compile(schema: TSchema) {
  const check = ajv.compile(withInt64Keyword(schema))
  return (value: unknown) => (check(value) ? undefined : (check.errors ?? []))
}

function withInt64Keyword(schema: TSchema) {
  return JSON.parse(JSON.stringify(schema), (_key, node: { format?: string } | null) =>
    node?.format === 'int64' ? { int64: true } : node,
  ) as object
}
