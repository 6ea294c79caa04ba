import type { ApiKey } from '../../domain/keys.ts'
import type { RateLimit } from '../../lib/rate-limit.ts'
import { operation } from '../operation.ts'
import type { Resource } from '../resource.ts'
import { EXAMPLES, Key } from './schemas.ts'

export const keys: Resource = {
  name: 'keys',
  description: 'API keys.',
  schemas: [Key],

  declare(app, { rateLimits }) {
    operation(app, {
      id: 'getOwnKey',
      method: 'GET',
      path: '/keys/self',
      tag: 'keys',
      stability: 'beta',
      summary: 'Show your key',
      description: 'Returns the scopes, expiry and rate limit of the key that makes the request. Needs no scope.',
      success: { status: 200, description: 'The key.', body: Key, examples: EXAMPLES },
      handler: ({ principal }) => ({ body: describeKey(principal.key, rateLimits.limitOf(principal)) }),
    })
  },
}

function describeKey(key: ApiKey, rateLimit: RateLimit | undefined) {
  const { id, name, mode, scopes, createdAt, expiresAt, replacedBy } = key
  return {
    id,
    name,
    mode,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    ...(rateLimit && { rateLimit }),
    ...(replacedBy && { replacedBy }),
  }
}
