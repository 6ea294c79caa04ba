import type { Document, OperationObject, OutgoingObject, Parameter, ResponseObject } from '../openapi/types.ts'
import { type Field, fieldsOf, parameterField, schemaOf, schemaTitle } from './fields.ts'

/** The facts about an operation that the page and the Markdown print. */
export interface OperationDoc {
  id: string
  summary: string
  description: string
  method: string
  path: string
  tag: string
  /** `beta` or `deprecated`. */
  badge: string | undefined
  parameters: { title: string; fields: Field[] }[]
  body: Body | undefined
  success: Success
  /** Without those that every operation has. */
  errors: ErrorCase[]
  operation: OperationObject
}

export interface Body {
  type: string
  title: string
  fields: Field[]
  examples: unknown[]
}

interface Success extends Partial<Body> {
  status: string
  description: string
  headers: Header[]
}

export interface Header {
  name: string
  description: string
  badge: string | undefined
}

interface ErrorCase {
  code: string
  status: number
  message: string
}

export interface Group {
  tag: string
  description: string
  entries: OperationDoc[]
}

/** A request that the service sends to a webhook. */
export interface Delivery {
  id: string
  summary: string
  description: string
  headers: Field[]
  body: Body
  responses: [status: string, description: string][]
}

export interface Reference {
  groups: Group[]
  entries: OperationDoc[]
  deliveries: Delivery[]
  /** The codes that every operation can return. */
  commonCodes: Set<string>
  commonHeaders: Header[]
}

const PLACES = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' }

/** The document, in the order and the words of the page. */
export function referenceOf(document: Document): Reference {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const commonCodes = inAll(operations.map((operation) => errorsOf(operation).map(({ code }) => code)))
  const headerNames = inAll(operations.map((operation) => Object.keys(successOf(operation)[1].headers)))
  const headers = headersOf(document, successOf(operations[0])[1])
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...entryOf(document, operation, headerNames),
      method: method.toUpperCase(),
      path,
      errors: errorsOf(operation).filter(({ code }) => !commonCodes.has(code)),
    })),
  )
  return {
    groups: document.tags.map(({ name, description }) => ({
      tag: name,
      description,
      entries: entries.filter(({ tag }) => tag === name),
    })),
    entries,
    deliveries: Object.values(document.webhooks ?? {}).map(({ post }) => deliveryOf(document, post)),
    commonCodes,
    commonHeaders: headers.filter(({ name }) => headerNames.has(name)),
  }
}

function entryOf(document: Document, operation: OperationObject, commonHeaders: Set<string>) {
  const { operationId: id, summary, description, tags, deprecated, parameters = [], requestBody } = operation
  const [status, response] = successOf(operation)
  return {
    id,
    summary,
    description,
    tag: tags[0] ?? '',
    badge: deprecated ? 'deprecated' : operation['x-stability'],
    parameters: Object.entries(PLACES)
      .map(([place, title]) => ({ title, fields: fieldsIn(document, parameters, place) }))
      .filter(({ fields }) => fields.length > 0),
    body: requestBody && bodyOf(document, requestBody.content),
    success: {
      status,
      description: response.description,
      headers: headersOf(document, response).filter(({ name }) => !commonHeaders.has(name)),
      ...(response.content && bodyOf(document, response.content)),
    },
    operation,
  }
}

function deliveryOf(document: Document, { operationId, summary, description, ...outgoing }: OutgoingObject): Delivery {
  return {
    id: operationId,
    summary,
    description,
    headers: fieldsIn(document, outgoing.parameters, 'header'),
    body: bodyOf(document, outgoing.requestBody.content),
    responses: Object.entries(outgoing.responses)
      .map(([status, response]): [string, string] => [status, response.description])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  }
}

function fieldsIn(document: Document, parameters: Parameter[], place: string) {
  return parameters.filter((parameter) => parameter.in === place).map((each) => parameterField(document, each))
}

function bodyOf(document: Document, content: NonNullable<ResponseObject['content']>): Body {
  const [[type, { schema, examples = {} }] = ['', { schema: {} }]] = Object.entries(content)
  return {
    type,
    title: schemaTitle(document, schema),
    fields: fieldsOf(document, schemaOf(document, schema)),
    examples: Object.values(examples).map(({ value }) => value),
  }
}

const NO_RESPONSE: [string, ResponseObject] = ['', { description: '', headers: {} }]

function successOf(operation: OperationObject | undefined): [status: string, response: ResponseObject] {
  return Object.entries(operation?.responses ?? {}).find(([status]) => status.startsWith('2')) ?? NO_RESPONSE
}

function headersOf({ components }: Document, { headers }: ResponseObject): Header[] {
  return Object.entries(headers).map(([name, { $ref }]) => {
    const header = components.headers[$ref.split('/').at(-1) ?? '']
    return { name, description: header?.description ?? '', badge: header?.['x-stability'] }
  })
}

function errorsOf({ responses }: OperationObject): ErrorCase[] {
  return Object.values(responses)
    .flatMap(({ content = {} }) => Object.values(content['application/json']?.examples ?? {}))
    .map(({ value }) => value as ErrorCase)
    .filter((value) => typeof value === 'object' && 'code' in value)
}

function inAll(lists: string[][]) {
  const [first = [], ...others] = lists
  return new Set(first.filter((item) => others.every((list) => list.includes(item))))
}
