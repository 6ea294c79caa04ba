import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import type { Readiness } from '../domain/readiness.ts'
import type { Draining } from './server/draining.ts'

interface HealthOptions {
  readiness: Readiness
  draining: Draining
  version: string
}

/** /livez is for what restarts the process, and never depends on the database; /readyz is for what sends it requests. */
export function healthRoutes(app: FastifyInstance, { readiness, draining, version }: HealthOptions) {
  const live = JSON.stringify({ status: 'live', version })
  app.get('/livez', {
    handler: (_request, reply) => reply.respond(200, live),
  })

  app.get('/readyz', {
    handler: async (_request, reply) => {
      if (draining.hasBegun) throw new DomainError('unavailable', 'This process is shutting down.')
      await readiness.check()
      reply.respond(200, '{"status":"ready"}')
    },
  })
}
