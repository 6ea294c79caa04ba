import { Ajv, type ErrorObject } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import { int64FromJsonNumber, parseInt64 } from '../../lib/int64.ts'
import { echo } from './echo.ts'
import type { ErrorCode } from './error-codes.ts'
import { RequestError } from './errors.ts'
import { parameterMessages } from './messages.ts'
import { NumberLiteral } from './number-literal.ts'
import type { PathParameters } from './operation.ts'
import { idOf, VISIBLE_TEXT } from './schemas.ts'
import { FIELD, misnamed, PARAMETER } from './unknown-names.ts'

type Check = ReturnType<FastifySchemaCompiler<object>>
type Result<T> = { error: Error; value?: never } | { error?: never; value: T }

/** Checks the parts of a request against their schemas, and says how to fix what is invalid. */
export class Validator {
  // No coercion, no defaults, nothing removed: the input is judged as it was sent.
  // The schemas themselves are checked by the tests, not at every start.
  readonly #ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    validateFormats: false,
    validateSchema: false,
  })

  readonly #shared: ReadonlyMap<string | undefined, TSchema>

  /** `shared` are the schemas that others refer to by their `$id`. */
  constructor(shared: readonly TSchema[]) {
    this.#ajv.addKeyword({ keyword: 'int64', modifying: true, errors: false, validate: decodeInteger })
    for (const schema of shared) this.#ajv.addSchema(forAjv(schema))
    this.#shared = new Map(shared.map((schema) => [idOf(schema), schema]))
  }

  readonly #compiled = new WeakMap<object, Check>()

  /** Compiles each schema once: also for those who call an operation by another route than its own. */
  readonly compiler: FastifySchemaCompiler<object> = ({ schema, httpPart = '' }) => {
    const check = this.#compiled.get(schema) ?? this.#compilePart(schema, httpPart)
    this.#compiled.set(schema, check)
    return check
  }

  #compilePart(schema: object, httpPart: string): Check {
    if (httpPart === 'params') return compileParams(schema as PathParameters)
    return httpPart === 'querystring' ? this.query(schema as TObject) : this.body(schema)
  }

  body<T extends TSchema>(schema: T) {
    const check = this.#compile(schema)
    const { minProperties = 0, properties = {} }: BodySchema = this.#shared.get(refOf(schema)) ?? schema
    const known = Object.keys(properties)
    return (body: unknown): Result<Static<T>> => {
      if (!isObject(body)) return { error: notAnObject(body) }
      // Before what is missing: the name that was meant says more than that it is required.
      const mistake = misnamed(Object.keys(body), known, FIELD)
      if (mistake !== undefined) return { error: new RequestError('invalid_body', mistake) }
      const errors = check(body)
      if (errors) return { error: new RequestError('invalid_body', { kind: 'fields', errors }) }
      if (minProperties > 0 && !known.some((name) => Object.hasOwn(body, name)))
        return { error: new RequestError('invalid_body', { kind: 'no field', known }) }
      return { value: body as Static<T> }
    }
  }

  /** A query is text: each parameter is read as its schema says, then checked like any other value. */
  query(schema: TObject) {
    const check = this.#compile(schema)
    const parameters = Object.entries(schema.properties)
    const known = Object.keys(schema.properties)
    const rejected = Object.entries((schema as QuerySchema).rejected ?? {})
    return (query: Record<string, string | string[]>): Result<object> => {
      const mistake = misnamed(Object.keys(query), known, PARAMETER)
      if (mistake !== undefined) return { error: new RequestError('invalid_parameter', mistake) }
      for (const [name, reason] of rejected)
        if (query[name] !== undefined) return { error: new RequestError('invalid_parameter', reason) }
      const value: Record<string, unknown> = {}
      for (const [name, parameter] of parameters) {
        const text = query[name]
        if (text === undefined) continue
        if (Array.isArray(text)) return { error: givenTwice(name, parameter) }
        value[name] = readParameter(text, parameter)
      }
      const errors = check(value)
      return errors ? { error: new RequestError('invalid_parameter', parameterMessages(errors)) } : { value }
    }
  }

  #compile(schema: TSchema) {
    const check = this.#ajv.compile(forAjv(schema))
    return (value: unknown): ErrorObject[] | undefined => (check(value) ? undefined : (check.errors ?? []))
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberLiteral)
}

function notAnObject(body: unknown) {
  return new RequestError('invalid_body', { kind: 'body', fault: `must be a JSON object; got ${echo(body)}` })
}

function refOf(schema: TSchema) {
  return '$ref' in schema ? String(schema.$ref) : idOf(schema)
}

/** What the schema of a body may say about it as a whole. */
interface BodySchema {
  /** At least one of the fields that it knows: strangers do not count. */
  minProperties?: number
  properties?: object
}

/** What the schema of a query may say about it as a whole. */
interface QuerySchema {
  /** Parameters of related operations that would be ignored without a trace, each with a sentence. */
  rejected?: Record<string, string>
}

/** An id that is not in its canonical form, by default that of an int64, cannot exist: the parameter says what was not found. */
export function compileParams(parameters: PathParameters) {
  const entries = Object.entries(parameters)
  return (params: Record<string, string>): Result<object> => {
    const value: Record<string, unknown> = {}
    for (const [name, { notFound, parse = parseInt64 }] of entries) {
      const text = params[name] ?? ''
      const id = parse(text)
      if (id === undefined) return { error: notFound(echo(text)) }
      value[name] = id
    }
    return { value }
  }
}

/** What a parameter's schema may say besides its type. */
interface ParameterSchema {
  type?: string
  format?: string
  maxItems?: number
  items?: ParameterSchema
  /** The code of an error about this parameter, where it is not `invalid_parameter`. */
  errorCode?: ErrorCode
}

function givenTwice(name: string, { type, errorCode = 'invalid_parameter' }: ParameterSchema) {
  const hint = type === 'array' ? `; separate its values with commas, as in ${name}=1,2.` : '.'
  return new RequestError(errorCode, `\`${name}\` must be given only once${hint}`)
}

/** Text that is not what the schema says stays text, and is rejected as that. */
function readParameter(text: string, { type, format, maxItems = 0, items = {} }: ParameterSchema): unknown {
  if (format === 'int64') return parseInt64(text) ?? text
  if (type === 'integer') return /^(?:0|-?[1-9][0-9]{0,8})$/.test(text) ? Number(text) : text
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text)
  // One more than allowed shows that there are too many.
  if (type === 'array') return text.split(',', maxItems + 1).map((item) => readParameter(item, items))
  return text
}

interface Bounds {
  minimum: number
  maximum: number
}

/**
 * Ajv's `integer` accepts only numbers. This keyword replaces `{ type: integer, format: int64 }` and leaves a bigint. For int32 it
 * has the bounds, and leaves a number.
 */
function decodeInteger(
  bounds: Bounds | true,
  value: unknown,
  __: unknown,
  at?: { parentData: Record<string, unknown>; parentDataProperty: string | number },
) {
  const exact = toInt64(value)
  if (exact === undefined) return false
  if (bounds !== true && (exact < bounds.minimum || exact > bounds.maximum)) return false
  if (at) at.parentData[at.parentDataProperty] = bounds === true ? exact : Number(exact)
  return true
}

function toInt64(value: unknown) {
  if (typeof value === 'bigint') return value
  if (value instanceof NumberLiteral) return int64FromJsonNumber(value.source)
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined
}

/** A schema with our keywords as Ajv knows them. */
function forAjv(schema: TSchema) {
  return JSON.parse(
    JSON.stringify(schema),
    (key, node: (Bounds & ArraySchema & { format?: string; visibleText?: boolean }) | null) => {
      // Ajv would count the fields that are ignored.
      if (key === 'minProperties') return undefined
      if (node?.format === 'int64') return { int64: true }
      if (node?.format === 'int32') return { int64: { minimum: node.minimum, maximum: node.maximum } }
      if (node?.items && node.maxItems !== undefined) return withBoundedItems(node)
      return node?.visibleText ? { ...node, pattern: VISIBLE_TEXT } : node
    },
  ) as object
}

interface ArraySchema {
  items?: object
  maxItems?: number
  uniqueItems?: boolean
}

/** Ajv would look at each item of an array that is too long, and report every one that is wrong. */
function withBoundedItems({ items, uniqueItems = false, ...array }: ArraySchema) {
  return { ...array, if: { minItems: Number(array.maxItems) + 1 }, else: { items, uniqueItems } }
}
