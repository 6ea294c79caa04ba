interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  [keyword: string]: unknown
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

type Content = Record<string, { schema: Schema }>

interface Operation {
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content; headers?: Record<string, unknown> }>
  'x-sunset'?: string
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

// What a caller sends may be judged more mildly, what a caller reads may only grow.
type Direction = 'sent' | 'read'

const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems']
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems']

/** What callers of the older document may stumble over in the newer one: a sentence for each, none if there is nothing. */
export function breakingChanges(older: Document, newer: Document): string[] {
  return Object.entries(older.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, before]) => {
      const name = `${method.toUpperCase()} ${path}`
      const now = newer.paths[path]?.[method]
      return now
        ? compareOperations(older, newer, before, now).map((change) => `${name}: ${change}`)
        : [`${name}: removed`]
    }),
  )
}

function compareOperations(older: Document, newer: Document, before: Operation, now: Operation): string[] {
  const schemas = (place: string, a: Schema, b: Schema, direction: Direction) =>
    compareSchemas(place, resolver(older), resolver(newer), a, b, direction)
  return [
    ...sunset(before, now),
    ...parameters(before.parameters ?? [], now.parameters ?? [], schemas),
    ...(now.requestBody?.required && !before.requestBody?.required ? ['the body has become required'] : []),
    ...contents('body', before.requestBody?.content, now.requestBody?.content, schemas, 'sent'),
    ...Object.entries(before.responses).flatMap(([status, response]) => {
      const answer = now.responses[status]
      if (!answer) return [`status ${status} removed`]
      const headers = Object.keys(response.headers ?? {}).filter((header) => !(header in (answer.headers ?? {})))
      return [
        ...headers.map((header) => `status ${status}: header ${header} removed`),
        ...contents(`status ${status}`, response.content, answer.content, schemas, 'read'),
      ]
    }),
  ]
}

function sunset(before: Operation, now: Operation) {
  const [old, current] = [before['x-sunset'], now['x-sunset']]
  return old !== undefined && current !== undefined && current < old
    ? [`sunset moved up from ${old} to ${current}`]
    : []
}

type CompareSchemas = (place: string, before: Schema, now: Schema, direction: Direction) => string[]

function parameters(before: Parameter[], now: Parameter[], compare: CompareSchemas) {
  const find = (list: Parameter[], wanted: Parameter) =>
    list.find(({ name, in: place }) => name === wanted.name && place === wanted.in)
  const required = now.filter((parameter) => parameter.required && !find(before, parameter)?.required)
  return [
    ...required.map(({ name }) => `parameter ${name} has become required`),
    ...before.flatMap((parameter) => {
      const current = find(now, parameter)
      return current
        ? compare(`parameter ${parameter.name}`, parameter.schema, current.schema, 'sent')
        : [`parameter ${parameter.name} removed`]
    }),
  ]
}

function contents(
  place: string,
  before: Content = {},
  now: Content = {},
  compare: CompareSchemas,
  direction: Direction,
) {
  return Object.entries(before).flatMap(([type, { schema }]) => {
    const current = now[type]
    return current ? compare(place, schema, current.schema, direction) : [`${place}: media type ${type} removed`]
  })
}

type Resolve = (schema: Schema) => Schema

function resolver(document: Document): Resolve {
  return (schema) => (schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema)
}

function compareSchemas(
  place: string,
  resolveOld: Resolve,
  resolveNew: Resolve,
  a: Schema,
  b: Schema,
  direction: Direction,
): string[] {
  const [before, now] = [resolveOld(a), resolveNew(b)]
  const inner = (name: string, old: Schema, current: Schema) =>
    compareSchemas(`${place}.${name}`, resolveOld, resolveNew, old, current, direction)
  return [
    ...(String(before.type) === String(now.type) && before.format === now.format ? [] : [`${place}: type changed`]),
    ...(direction === 'sent' ? narrowed(place, before, now) : fewer(place, before, now)),
    ...Object.entries(before.properties ?? {}).flatMap(([name, property]) => {
      const current = now.properties?.[name]
      return current ? inner(name, property, current) : [`${place}.${name}: field removed`]
    }),
    ...(before.items && now.items ? inner('items', before.items, now.items) : []),
  ]
}

/** What was allowed to be sent and no longer is. */
function narrowed(place: string, before: Schema, now: Schema) {
  const number = (schema: Schema, keyword: string, fallback: number) =>
    (schema[keyword] as number | undefined) ?? fallback
  const lower = LOWER_BOUNDS.filter((bound) => number(now, bound, -Infinity) > number(before, bound, -Infinity))
  const upper = UPPER_BOUNDS.filter((bound) => number(now, bound, Infinity) < number(before, bound, Infinity))
  const values = (before.enum ?? []).filter((value) => now.enum !== undefined && !now.enum.includes(value))
  const required = (now.required ?? []).filter((name) => !(before.required ?? []).includes(name))
  return [
    ...[...lower, ...upper].map((bound) => `${place}: ${bound} narrowed`),
    ...values.map((value) => `${place}: value ${String(value)} no longer allowed`),
    ...(now.enum && !before.enum ? [`${place}: limited to certain values`] : []),
    ...(now.pattern !== undefined && now.pattern !== before.pattern ? [`${place}: pattern changed`] : []),
    ...required.map((name) => `${place}.${name}: has become required`),
  ]
}

/** What could be relied on in an answer and no longer can. */
function fewer(place: string, before: Schema, now: Schema) {
  const required = (before.required ?? []).filter(
    (name) => !(now.required ?? []).includes(name) && now.properties?.[name],
  )
  return [
    ...required.map((name) => `${place}.${name}: no longer always there`),
    ...(before.enum && !now.enum ? [`${place}: no longer limited to certain values`] : []),
    ...(before.pattern !== undefined && now.pattern !== before.pattern ? [`${place}: pattern no longer kept`] : []),
  ]
}
