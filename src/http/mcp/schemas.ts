import type { Operation } from '../wire/operation.ts'
import { CATEGORY, type HeaderArgument, REPLAYED, SEARCH_INCOMPLETE, type Tool } from './tools.ts'

/** The part of JSON Schema that operations use. */
export interface Schema {
  $ref?: string
  $id?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  examples?: unknown
  pattern?: string
  maximum?: number
  additionalProperties?: boolean
  'x-stability'?: 'beta'
}

export type SharedSchemas = Readonly<Record<string, unknown>>

// Keywords that mean something only in the document, to our validator, or for numbers.
const DROPPED = ['$id', 'style', 'explode', 'errorCode', 'visibleText', 'x-stability', 'x-stability-level']
const DIGITS = '^(?:0|-?[1-9][0-9]{0,18})$'

/** A schema without references, in which a 64-bit integer is a string of digits. */
function forModel(schema: Schema, shared: SharedSchemas): Schema {
  if (schema.$ref !== undefined) return forModel(named(schema.$ref, shared), shared)
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !DROPPED.includes(keyword)))
  if (schema.format === 'int64') return digits(schema.description, kept['examples'])
  return {
    ...kept,
    ...(schema.items && { items: forModel(schema.items, shared), examples: asText(kept['examples'], schema.items) }),
    ...(schema.properties && { properties: mapValues(schema.properties, (property) => forModel(property, shared)) }),
  }
}

function named(id: string, shared: SharedSchemas): Schema {
  const schema = shared[id]
  if (typeof schema !== 'object' || schema === null) throw new Error(`there is no schema ${id}`)
  return schema
}

function digits(description: string | undefined, examples: unknown): Schema {
  const rule = 'A 64-bit integer, as a string of digits.'
  return {
    type: 'string',
    pattern: DIGITS,
    description: description === undefined ? rule : `${description} ${rule}`,
    examples: Array.isArray(examples) ? examples.map(String) : [],
  }
}

/** The examples of a list of ids, which are numbers in the document. */
function asText(examples: unknown, { format }: Schema) {
  return format === 'int64' && Array.isArray(examples) ? examples.map((list: unknown[]) => list.map(String)) : examples
}

/** The arguments of a tool that executes these operations. */
export function inputSchema(tool: Tool, operations: readonly Operation[], shared: SharedSchemas): Schema {
  const { params = {}, query, body } = operations[0] ?? {}
  const ofBody: Schema = body ?? {}
  const ofRequest: Record<string, Schema> = { ...ofBody.properties, ...query?.properties }
  const properties: Record<string, Schema> = {
    ...chosen(tool),
    ...mapValues(params, ({ description, schema, example }) =>
      schema ? { ...schema, description, examples: [example] } : digits(description, [example]),
    ),
    ...mapValues(tool.headers ?? {}, ofHeader),
    ...mapValues(ofRequest, (property) => forModel(property, shared)),
  }
  for (const name of Object.keys(tool.fixed ?? {})) delete properties[name]
  for (const [name, change] of Object.entries(tool.describe ?? {}))
    properties[name] = { ...properties[name], ...change }
  for (const [name, property] of Object.entries(properties))
    if (ofRequest[name]?.['x-stability']) property.description = `${property.description} Beta.`
  if (tool.hasCategories) properties['category'] = CATEGORY
  const headers = Object.entries(tool.headers ?? {}).flatMap(([name, { isRequired }]) => (isRequired ? name : []))
  const ofOperation = (ofBody.required ?? []).filter((name) => !(tool.hasCategories && name === 'categoryId'))
  const required = [...Object.keys({ ...chosen(tool), ...params }), ...headers, ...ofOperation]
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

function chosen({ operation }: Tool): Record<string, Schema> {
  if (typeof operation === 'string') return {}
  const { argument, description, by } = operation
  return { [argument]: { type: 'string', enum: Object.keys(by), description } }
}

function ofHeader({ description, example }: HeaderArgument): Schema {
  return { type: 'string', description, ...(example !== undefined && { examples: [example] }) }
}

/** The result of a tool: an object, even if the operation returns a list. */
export function outputSchema(
  { result, list, headers, hasCategories }: Tool,
  operations: readonly Operation[],
  shared: SharedSchemas,
): Schema {
  const ofOperation = typesOf(forModel({ $ref: result }, shared))
  const schema = hasCategories
    ? { ...ofOperation, properties: { ...ofOperation.properties, categoryName: { type: 'string' } } }
    : ofOperation
  if (headers?.['idempotencyKey'])
    return { ...schema, properties: { ...schema.properties, [REPLAYED]: { type: 'boolean' } } }
  if (list === undefined) return schema
  const mayNotWait = operations.some(({ success }) => success.headers?.includes('RetryAfter'))
  const isSearch = operations.some(({ success }) => success.headers?.includes('SearchIncomplete'))
  const properties = {
    [list]: { type: 'array', items: schema },
    nextCursor: { type: 'string' },
    ...(mayNotWait && { retryAfter: { type: 'integer' } }),
    ...(isSearch && { [SEARCH_INCOMPLETE]: { type: 'integer' } }),
  }
  return { type: 'object', properties, required: [list] }
}

/** Leaves out what is for readers: a model reads results, not their schemas, and the list of tools would be twice as long. */
function typesOf({ type, format, enum: values, properties, required, items }: Schema): Schema {
  return {
    ...(type && { type }),
    ...(format && { format }),
    ...(values && { enum: values }),
    ...(properties && { properties: mapValues(properties, typesOf) }),
    ...(required && { required }),
    ...(items && { items: typesOf(items) }),
  }
}

/** The names of the fields of a result that are 64-bit integers. No field that is another number may have such a name. */
export function int64Names(schema: Schema, shared: SharedSchemas) {
  const names = new Set<string>()
  const others = new Set<string>()
  const collect = ({ $ref, properties = {}, items }: Schema) => {
    if ($ref !== undefined) collect(named($ref, shared))
    if (items) collect(items)
    for (const [name, property] of Object.entries(properties)) {
      if (property.format === 'int64') names.add(name)
      else if (property.type === 'integer' || property.type === 'number') others.add(name)
      collect(property)
    }
  }
  collect(schema)
  for (const name of others) if (names.has(name)) throw new Error(`${name} is a 64-bit integer and another number`)
  return names
}

function mapValues<From, To>(record: Record<string, From>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}
