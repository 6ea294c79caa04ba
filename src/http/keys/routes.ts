import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ApiKey } from '../../domain/keys.ts'
import type { RateLimit } from '../../lib/rate-limit.ts'
import { closePath } from '../gate/gate.ts'
import type { RateLimits } from '../gate/rate-limits.ts'
import { errorResponses } from '../openapi/error-schema.ts'
import { BETA } from '../wire/stability.ts'

export const keyRoutes: FastifyPluginAsyncTypebox<{ rateLimits: RateLimits }> = async (app, { rateLimits }) => {
  app.get('/keys/self', {
    schema: {
      operationId: 'getOwnKey',
      tags: ['keys'],
      summary: 'Show your key',
      description: 'Returns the scopes, expiry and rate limit of the key that makes the request. Needs no scope.',
      response: { 200: { ...Type.Ref('Key'), description: 'The key.' }, ...errorResponses() },
      ...BETA,
    },
    handler: ({ principal }, reply) => {
      reply.answer(200, reply.serialize(asBody(principal.key, rateLimits.limitOf(principal))) as string)
    },
  })
  closePath(app, '/keys/self', 'GET', 'HEAD')
}

function asBody(key: ApiKey, rateLimit: RateLimit | undefined) {
  const { id, name, mode, scopes, createdAt, expiresAt, replacedBy } = key
  return {
    id,
    name,
    mode,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    rateLimit,
    replacedBy: replacedBy ?? undefined,
  }
}
