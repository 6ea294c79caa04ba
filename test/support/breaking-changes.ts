export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  'x-stability'?: string
  [keyword: string]: unknown
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
  'x-stability'?: string
}

type Content = Record<string, { schema: Schema }>

interface Operation {
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content; headers?: Record<string, { $ref: string }> }>
  'x-sunset'?: string
  'x-stability'?: string
}

export interface Document {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  /** What the service sends. */
  webhooks?: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; headers: Record<string, { 'x-stability'?: string }> }
}

// What a caller sends may be judged more mildly, what a caller reads may only grow.
type Direction = 'sent' | 'read'

const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems']
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems']

const BETA = ' (beta)'

/** Whether a breaking change is one of something that was beta, and did not become stable with it. */
export const isOfBeta = (change: string) => change.endsWith(BETA)

type Marked = { 'x-stability'?: string } | undefined
const isBeta = (...marked: Marked[]) => marked.some((each) => each?.['x-stability'] === 'beta')

/** Changes of what was beta before. One that becomes stable keeps what it offered as beta. */
function marking(before: Marked[], now: Marked[], changes: string[]) {
  if (!isBeta(...before) || !(isBeta(...now) || now.every((each) => each === undefined))) return changes
  return changes.map((change) => (isOfBeta(change) ? change : change + BETA))
}

/** What callers of the older document may stumble over in the newer one: a sentence for each, none if there is nothing. */
export function breakingChanges(older: Document, newer: Document): string[] {
  const ofRequests = Object.entries(older.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, before]) => {
      const now = newer.paths[path]?.[method]
      const changes = now ? compareOperations(older, newer, before, now) : ['removed']
      return marking(
        [before],
        [now],
        changes.map((change) => `${method.toUpperCase()} ${path}: ${change}`),
      )
    }),
  )
  const ofDeliveries = Object.entries(older.webhooks ?? {}).flatMap(([name, { post: before }]) => {
    const now = newer.webhooks?.[name]?.['post']
    if (!before) return []
    const changes = now ? compareDeliveries(older, newer, before, now) : ['removed']
    return changes.map((change) => `webhook ${name}: ${change}`)
  })
  return [...ofRequests, ...ofDeliveries]
}

/** What the service sends, its receivers read. */
function compareDeliveries(older: Document, newer: Document, before: Operation, now: Operation) {
  const schemas = comparing(older, newer)
  const headers = (before.parameters ?? []).filter(({ name }) => !now.parameters?.some((each) => each.name === name))
  return [
    ...headers.map(({ name }) => `header ${name} removed`),
    ...contents('body', before.requestBody?.content, now.requestBody?.content, schemas, 'read'),
  ]
}

function compareOperations(older: Document, newer: Document, before: Operation, now: Operation): string[] {
  const schemas = comparing(older, newer)
  const headerOf = ({ components }: Document, header?: { $ref: string }) =>
    components.headers[header?.$ref.split('/').at(-1) ?? '']
  return [
    ...sunset(before, now),
    ...parameters(before.parameters ?? [], now.parameters ?? [], schemas),
    ...(now.requestBody?.required && !before.requestBody?.required ? ['the body has become required'] : []),
    ...contents('body', before.requestBody?.content, now.requestBody?.content, schemas, 'sent'),
    ...Object.entries(before.responses).flatMap(([status, response]) => {
      const answer = now.responses[status]
      if (!answer) return [`status ${status} removed`]
      const headers = Object.entries(response.headers ?? {}).filter(([header]) => !(header in (answer.headers ?? {})))
      return [
        ...headers.flatMap(([header, ref]) =>
          marking([headerOf(older, ref)], [], [`status ${status}: header ${header} removed`]),
        ),
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

function comparing(older: Document, newer: Document): CompareSchemas {
  return (place, a, b, direction) => compareSchemas(place, resolver(older), resolver(newer), a, b, direction)
}

function parameters(before: Parameter[], now: Parameter[], compare: CompareSchemas) {
  const find = (list: Parameter[], wanted: Parameter) =>
    list.find(({ name, in: place }) => name === wanted.name && place === wanted.in)
  const required = now.filter((parameter) => parameter.required && !find(before, parameter)?.required)
  return [
    ...required.map(({ name }) => `parameter ${name} has become required`),
    ...before.flatMap((parameter) => {
      const current = find(now, parameter)
      const changes = current
        ? compare(`parameter ${parameter.name}`, parameter.schema, current.schema, 'sent')
        : [`parameter ${parameter.name} removed`]
      return marking([parameter], [current], changes)
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
  const changes = [
    ...(String(before.type) === String(now.type) && before.format === now.format ? [] : [`${place}: type changed`]),
    ...(direction === 'sent' ? narrowed(place, before, now) : fewer(place, before, now)),
    ...Object.entries(before.properties ?? {}).flatMap(([name, property]) => {
      const current = now.properties?.[name]
      return current
        ? inner(name, property, current)
        : marking([property, resolveOld(property)], [], [`${place}.${name}: field removed`])
    }),
    ...(before.items && now.items ? inner('items', before.items, now.items) : []),
  ]
  return marking([a, before], [b, now], changes)
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
    ...required.flatMap((name) =>
      marking([before.properties?.[name]], [now.properties?.[name]], [`${place}.${name}: no longer always there`]),
    ),
    ...(before.enum && !now.enum ? [`${place}: no longer limited to certain values`] : []),
    ...(before.pattern !== undefined && now.pattern !== before.pattern ? [`${place}: pattern no longer kept`] : []),
  ]
}
