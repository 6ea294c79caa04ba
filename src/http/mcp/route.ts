import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { DescribeFailure } from '../reply.ts'
import type { Operation } from '../wire/operation.ts'
import { faultBody, PARSE_ERROR } from './faults.ts'

export interface McpOptions {
  version: string
  publicBaseUrl?: string | undefined
  corsOrigins: readonly string[]
}

/**
 * The tools of agents: JSON-RPC on one path, behind the same gate as every operation. The OpenAPI document, which describes requests by
 * path and status, leaves it out; docs/agents.md describes it. The code that handles messages is loaded with the first of them.
 */
export function mcpRoute(
  app: FastifyInstance,
  { version, publicBaseUrl, corsOrigins }: McpOptions,
  describeFailure: DescribeFailure,
) {
  const ownOrigin = publicBaseUrl === undefined ? [] : [new URL(publicBaseUrl).origin]
  const operation: Operation = {
    id: 'mcp',
    method: 'POST',
    path: '/mcp',
    tag: 'mcp',
    origins: new Set([...corsOrigins, ...ownOrigin]),
    summary: 'Call tools',
    description: 'One message of the Model Context Protocol.',
    // The parser keeps every digit of these; the messages are read in messages.ts.
    body: Type.Object({ id: Type.Unknown() }),
    success: { status: 200, description: 'The response to the message.' },
  }
  const load = async () => {
    const { McpServer } = await import('./server.ts')
    return new McpServer(app, version, describeFailure)
  }
  let loading: ReturnType<typeof load> | undefined
  app.route({
    method: operation.method,
    url: operation.path,
    config: { operation },
    handler: async (request, reply) => {
      loading ??= load().catch((error: unknown) => {
        loading = undefined // the next call tries again
        throw error
      })
      await (await loading).handle(request, reply)
    },
    errorHandler: (error, request, reply) => {
      const { code, message } = describeFailure(error, request)
      if (code !== 'invalid_json') throw error
      reply.respond(400, faultBody(undefined, PARSE_ERROR, message))
    },
  })
}
