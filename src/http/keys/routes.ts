import { operation } from '../operation.ts'
import type { Resource } from '../resource.ts'
import { keyBody } from '../wire/key-body.ts'
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
      handler: ({ principal }) => ({
        content: JSON.stringify(keyBody(principal.key, rateLimits.limitOf(principal))),
      }),
    })
  },
}
