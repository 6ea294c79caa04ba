import { getStatus } from '../../domain/status.ts'
import { operation } from '../operation.ts'
import type { Resource } from '../resource.ts'
import { EXAMPLES, Status } from './schemas.ts'

export const serviceStatus: Resource = {
  name: 'status',
  description: 'How the service is doing, for those who look after it.',
  schemas: [Status],

  declare(app, { build }) {
    const startedAt = new Date(performance.timeOrigin).toISOString()
    operation(app, {
      id: 'getStatus',
      method: 'GET',
      path: '/status',
      tag: 'status',
      stability: 'beta',
      scope: 'status:read',
      summary: 'Show how the service is doing',
      description:
        'Returns the version of the service, the state of its database, how far its feed and its webhooks are behind, whether every pet can be found by its name, and how many keys expire soon. Without the database no key can be checked: once the loss is noticed, the response is 503 `unavailable`, as that of every operation. `/livez` and `/readyz` need no key.',
      success: { status: 200, description: 'The status.', body: Status, examples: EXAMPLES },
      handler: async (request) => ({
        content: JSON.stringify({ ...build, startedAt, ...(await getStatus(request.store, request)) }),
      }),
    })
  },
}
