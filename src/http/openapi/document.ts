import type { TSchema } from 'typebox'
import { PATCH_TYPES } from '../wire/headers.ts'
import type { Operation, OutgoingRequest, PathParameter } from '../wire/operation.ts'
import { RESPONSE_HEADERS, type ResponseHeader } from '../wire/response-headers.ts'
import { BETA, idOf } from '../wire/schemas.ts'
import { describeOutgoing } from './outgoing.ts'
import { responsesOf } from './responses.ts'
import { asExamples, publishedSchema, schemaOrRef } from './schemas.ts'
import type { Document, OperationObject, Parameter } from './types.ts'

declare global {
  interface JSON {
    /** A value that is written as this text (ES2026; TypeScript does not know it yet). */
    rawJSON(text: string): object
  }
}

const DESCRIPTION = `An API for the pets of a store: list, add, change and sell them.

Every request needs an API key, sent as \`Authorization: Bearer <API_KEY>\`. Ids are 64-bit integers: read them with a parser
that keeps all digits. Every response that is not a success has the same body, \`Error\`; its \`code\` is for programs, its
\`message\` says how to fix the request. An unknown parameter or field whose name is close to a
known one is 400, and so are \`page\`, \`offset\`, \`per_page\`, \`q\` and \`search\` in lists. Other unknown names are ignored.`

interface DocumentOptions {
  baseUrl: string
  version: string
  tags: readonly { name: string; description: string; sends?: Record<string, OutgoingRequest> }[]
  /** The shared schemas, each with its `$id`. */
  schemas: readonly TSchema[]
}

export function buildDocument(
  operations: readonly Operation[],
  { baseUrl, version, tags, schemas }: DocumentOptions,
): Document {
  const paths: Document['paths'] = {}
  for (const operation of operations)
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(operation) }
  const outgoing = tags.flatMap(({ sends = {} }) => Object.entries(sends))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Petstore',
      // Without the commit, which contains openapi.json.
      version: version.replace(/\+.*/, ''),
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    components: {
      headers: Object.fromEntries(
        Object.entries<ResponseHeader>(RESPONSE_HEADERS).map(([id, { description, example, stability }]) => [
          id,
          { description, schema: { type: 'string', examples: [example] }, ...(stability && BETA) },
        ]),
      ),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The API key, sent as `Authorization: Bearer <API_KEY>`.',
        },
      },
      schemas: Object.fromEntries(schemas.map((schema) => [idOf(schema) ?? '', publishedSchema(schema)] as const)),
    },
    paths,
    ...(outgoing.length > 0 && {
      webhooks: Object.fromEntries(outgoing.map(([name, request]) => [name, { post: describeOutgoing(request) }])),
    }),
    servers: [{ url: baseUrl, description: 'This service.' }],
    security: [{ apiKey: [] }],
    tags: tags.map(({ name, description }) => ({ name, description })),
  }
}

function describe(operation: Operation): OperationObject {
  const { id, summary, tag, stability, deprecated, body, bodyExamples = {} } = operation
  const parameters = parametersOf(operation)
  const types = operation.method === 'PATCH' ? PATCH_TYPES : ['application/json']
  return {
    operationId: id,
    summary,
    tags: [tag],
    description: [operation.description, ...repetitionOf(operation), ...scopesOf(operation)].join(' '),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          types.map((type) => [type, { schema: schemaOrRef(body), examples: asExamples(bodyExamples) }]),
        ),
      },
    }),
    ...(stability && BETA),
    ...(deprecated && {
      deprecated: true,
      'x-sunset': deprecated.sunset,
      'x-deprecated-sunset': deprecated.sunset,
    }),
    responses: responsesOf(operation),
  }
}

/** An `Idempotency-Key` is never rejected: clients may send one with every request. */
function repetitionOf({ method, idempotent, repeating = 'changes nothing more' }: Operation) {
  if (method === 'GET' || idempotent) return []
  return [`An \`Idempotency-Key\` is accepted and has no effect: repeating the request ${repeating}.`]
}

function scopesOf({ scope, alsoScope }: Operation) {
  if (!scope) return []
  return [alsoScope ? `Needs the scopes \`${scope}\` and \`${alsoScope}\`.` : `Needs the scope \`${scope}\`.`]
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of your choice, bare or as a quoted string. The same key with the same body, sent again within 24 hours, returns what the first request created and creates nothing, so a request whose response was lost can be retried. Separate for each operation. An API key shares them with the keys that it was rotated from or to.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'Carries out the request only if the pet or the category has this version: the `ETag` of an earlier response, or `version` in quotes. Several are separated by commas; `*` stands for any. Otherwise the response is 412, with the current `ETag`.',
  schema: { type: 'string', minLength: 1, maxLength: 1_024 },
  example: '"1"',
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of an earlier response. As long as the content is the same, the response is 304 without a body. Several are separated by commas.',
  schema: { type: 'string' },
  example: RESPONSE_HEADERS.ContentETag.example,
}

function parametersOf({ params = {}, query, idempotent, conditional, revalidated }: Operation): Parameter[] {
  const inPath = Object.entries(params).map(([name, parameter]) => pathParameter(name, parameter))
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) =>
    queryParameter(name, schema, query?.required?.includes(name) ?? false),
  )
  const inHead = [
    ...(idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(conditional ? [IF_MATCH] : []),
    ...(revalidated ? [IF_NONE_MATCH] : []),
  ]
  return [...inPath, ...inQuery, ...inHead]
}

const INT64 = { type: 'integer', format: 'int64' }

function pathParameter(name: string, { description, example, schema = INT64 }: PathParameter): Parameter {
  return { name, in: 'path', required: true, description, schema, example }
}

/** The schema of a parameter has all its facts; the document wants some of them beside the schema. */
function queryParameter(name: string, parameter: TSchema, required: boolean) {
  const { description = '', examples = [], style, explode, ...rest } = publishedSchema(parameter)
  const { 'x-stability': stability, 'x-stability-level': level, ...schema } = rest
  return {
    name,
    in: 'query',
    required,
    description,
    schema,
    example: examples[0],
    ...(style !== undefined && { style, explode }),
    ...(stability && { 'x-stability': stability, 'x-stability-level': level }),
  }
}

/** Prints the document, with every digit of the ids in its examples. */
export function documentText(document: Document, indent?: number) {
  const exactDigits = (_key: string, value: unknown) =>
    typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value
  return JSON.stringify(document, exactDigits, indent)
}
