import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { closePath } from './gate.ts'

/** Gathers the document from the routes; must be asked before they are registered. */
export function describeRoutes(app: FastifyInstance, baseUrl: string) {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Petstore',
        version: '1.0.0',
        description:
          'Keeps the animals a store offers: list them, add one, fetch one. Identifiers are 64-bit integers; read them with a parser that keeps all digits.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: baseUrl }],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'The API key, sent as `Authorization: Bearer <API_KEY>`.',
          },
        },
      },
      security: [{ apiKey: [] }],
      tags: [{ name: 'pets', description: 'The animals.' }],
    },
    refResolver: { buildLocalReference: ({ $id }) => $id as string },
    transformObject: (document) => {
      if ('openapiObject' in document) liftParameterKeywords(document.openapiObject)
      return 'openapiObject' in document ? document.openapiObject : document.swaggerObject
    },
  })
}

const PARAMETER_KEYWORDS = ['style', 'explode', 'x-stability', 'x-stability-level']

/** A schema in the routes carries all that is known of a parameter; the document wants some of it beside the schema. */
function liftParameterKeywords({ paths = {} }: { paths?: object }) {
  const operations = Object.values(paths).flatMap((path: Record<string, Operation>) => Object.values(path))
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    for (const keyword of PARAMETER_KEYWORDS) {
      if (parameter.schema[keyword] === undefined) continue
      parameter[keyword] = parameter.schema[keyword]
      delete parameter.schema[keyword]
    }
  }
}

interface Operation {
  parameters?: { schema: Record<string, unknown>; [keyword: string]: unknown }[]
}

export function openApiRoute(app: FastifyInstance) {
  let document = ''
  app.addHook('onReady', async () => {
    document = JSON.stringify(app.swagger())
  })
  app.get('/openapi.json', {
    schema: { hide: true },
    handler: async (_request, reply) => reply.type('application/json').send(document),
  })
  closePath(app, '/openapi.json', 'GET', 'HEAD')
}
