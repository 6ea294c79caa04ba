import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../domain/context.ts'
import { listDeprecatedCalls } from '../../domain/deprecations.ts'
import { closePath } from '../gate/gate.ts'
import { errorResponses } from '../openapi/error-schema.ts'
import { DEPRECATED, documentationOf } from '../wire/deprecation.ts'
import { BETA } from '../wire/stability.ts'

export const deprecationRoutes: FastifyPluginAsyncTypebox<{ context: Context; baseUrl: string }> = async (
  app,
  { context, baseUrl },
) => {
  app.get('/deprecations', {
    schema: {
      operationId: 'listDeprecations',
      tags: ['deprecations'],
      summary: 'List your deprecated calls',
      description:
        'Returns which deprecated operations this key called, how often and when, and what to call instead. New calls appear within a few seconds. Needs no scope.',
      response: { 200: { ...Type.Ref('DeprecatedUses'), description: 'Success.' }, ...errorResponses() },
      ...BETA,
    },
    handler: async (request, reply) => {
      const counts = await listDeprecatedCalls(context, request.principal, request)
      const uses = counts.flatMap(({ operation, calls, firstCalledAt, lastCalledAt }) => {
        // A count may outlive its operation.
        const known = DEPRECATED[operation]
        if (!known) return []
        return {
          operation,
          method: known.method,
          path: baseUrl + known.path,
          calls,
          firstCalled: firstCalledAt.toISOString(),
          lastCalled: lastCalledAt.toISOString(),
          sunset: known.sunset,
          successor: baseUrl + known.successor,
          documentation: documentationOf(baseUrl, known.section),
        }
      })
      reply.answer(200, reply.serialize(uses) as string)
    },
  })
  closePath(app, '/deprecations', 'GET', 'HEAD')
}
