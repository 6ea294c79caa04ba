import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { closePath } from '../gate/gate.ts'
import { errorBody } from '../wire/errors.ts'
import { codesOf, exampleMessage, REQUEST_EXAMPLES, SUCCESS_EXAMPLES } from './examples.ts'
import { HEADER_PARAMETERS, HEADERS, headersOf } from './headers.ts'

const DESCRIPTION = `Keeps the animals a store offers: list them, add one, fetch one.

Every request needs an API key, sent as \`Authorization: Bearer <API_KEY>\`. Ids are 64-bit integers: read them with a parser
that keeps all digits. Every response that is not a success has the same body, \`Error\`; its \`code\` is for programs, its
\`message\` says how to fix the request.`

declare global {
  interface JSON {
    /** A value that is written as this text (ES2026; TypeScript does not know it yet). */
    rawJSON(text: string): object
  }
}

interface Document {
  servers?: object[]
  paths?: Record<string, Record<string, Operation>>
  [member: string]: unknown
}

interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': MediaType } }
  /** `content` is absent where there is no body, as with 204 and 304. */
  responses: Record<string, { headers?: object; content?: { 'application/json': MediaType } }>
}

interface Parameter {
  schema: Record<string, unknown>
  [keyword: string]: unknown
}

interface MediaType {
  examples?: Record<string, { value: unknown }>
}

/** Gathers the document from the routes; must be asked before they are registered. */
export function describeRoutes(app: FastifyInstance, versionPrefix: string, baseUrl: string) {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Petstore',
        version: '1.0.0',
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      // Routes are described relative to this; the address that callers use takes its place below.
      servers: [{ url: versionPrefix }],
      components: {
        headers: HEADERS,
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'The API key, sent as `Authorization: Bearer <API_KEY>`.',
          },
        },
      },
      security: [{ apiKey: [] }],
      tags: [
        { name: 'pets', description: 'The animals.' },
        { name: 'keys', description: 'API keys.' },
        { name: 'deprecations', description: 'Deprecated operations, and which of them you still call.' },
      ],
    },
    refResolver: { buildLocalReference: ({ $id }) => $id as string },
    transformObject: (gathered) => {
      const document = ('openapiObject' in gathered ? gathered.openapiObject : gathered.swaggerObject) as Document
      document.servers = [{ url: baseUrl, description: 'This service.' }]
      for (const operation of Object.values(document.paths ?? {}).flatMap((path) => Object.values(path)))
        complete(operation)
      return document
    },
  })
}

/** Adds to an operation what the schemas of its route cannot say. */
function complete(operation: Operation) {
  const { operationId, parameters = [], requestBody, responses } = operation
  for (const parameter of parameters) liftKeywords(parameter)
  const inHeaders = HEADER_PARAMETERS[operationId]
  if (inHeaders) operation.parameters = [...parameters, ...inHeaders]
  if (requestBody) requestBody.content['application/json'].examples = asExamples(REQUEST_EXAMPLES[operationId] ?? {})
  for (const [status, response] of Object.entries(responses)) {
    response.headers = headersOf(operationId, Number(status))
    if (!response.content) continue
    const examples = SUCCESS_EXAMPLES[operationId]?.[status] ?? errorExamples(operationId, Number(status))
    response.content['application/json'].examples = asExamples(examples)
  }
}

function errorExamples(operationId: string, status: number): Record<string, unknown> {
  const codes = codesOf(operationId, status)
  return Object.fromEntries(codes.map((code) => [code, errorBody(code, exampleMessage(operationId, code) ?? '')]))
}

const PARAMETER_KEYWORDS = ['style', 'explode', 'x-stability', 'x-stability-level']

/** A schema in the routes carries all that is known of a parameter; the document wants some of it beside the schema. */
function liftKeywords(parameter: Parameter) {
  for (const keyword of PARAMETER_KEYWORDS) {
    if (parameter.schema[keyword] === undefined) continue
    parameter[keyword] = parameter.schema[keyword]
    delete parameter.schema[keyword]
  }
}

function asExamples(bodies: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(bodies).map(([name, value]) => [name, { value }]))
}

/** The document as text, with every digit of the identifiers in its examples. */
export function documentText(app: FastifyInstance, indent?: number) {
  return JSON.stringify(app.swagger(), exactDigits, indent)
}

function exactDigits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value
}

export function openApiRoute(app: FastifyInstance) {
  let document = ''
  app.addHook('onReady', async () => {
    document = documentText(app)
  })
  app.get('/openapi.json', {
    schema: { hide: true },
    handler: (_request, reply) => reply.answer(200, document),
  })
  closePath(app, '/openapi.json', 'GET', 'HEAD')
}
