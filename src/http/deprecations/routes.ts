import { operation } from '../operation.ts'
import type { Resource } from '../resource.ts'
import { documentationUrl } from '../wire/deprecation.ts'
import { DeprecatedUse, DeprecatedUses, EXAMPLES } from './schemas.ts'

export const deprecations: Resource = {
  name: 'deprecations',
  description: 'Deprecated operations, and which of them you still call.',
  schemas: [DeprecatedUse, DeprecatedUses],

  declare(app, { baseUrl }) {
    operation(app, {
      id: 'listDeprecations',
      method: 'GET',
      path: '/deprecations',
      tag: 'deprecations',
      stability: 'beta',
      summary: 'List your deprecated calls',
      description:
        'Returns which deprecated operations this key called, how often and when, and what to call instead. New calls appear within a few seconds. Needs no scope.',
      success: { status: 200, description: 'Success.', body: DeprecatedUses, examples: EXAMPLES },
      handler: async (request) => {
        const counts = await request.store.deprecatedCalls.find(request.principal.keyId, request)
        const uses = counts.flatMap(({ operation: id, calls, firstCalledAt, lastCalledAt }) => {
          // A count may outlive its operation.
          const called = app.operations.find((each) => each.id === id)
          if (!called?.deprecated) return []
          const { sunset, successor, section } = called.deprecated
          return {
            operation: id,
            method: called.method,
            path: baseUrl + called.path,
            calls: JSON.rawJSON(String(calls)),
            firstCalled: firstCalledAt.toISOString(),
            lastCalled: lastCalledAt.toISOString(),
            sunset,
            successor: baseUrl + successor,
            documentation: documentationUrl(baseUrl, section),
          }
        })
        return { content: JSON.stringify(uses) }
      },
    })
  },
}
