import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import type { Readiness } from '../domain/readiness.ts'
import { closePath } from './gate/gate.ts'
import type { Draining } from './server/draining.ts'

interface HealthOptions {
  readiness: Readiness
  draining: Draining
  version: string
}

/** For whoever restarts the process (/livez: never because of the database), and for whoever sends it calls (/readyz). */
export function healthRoutes(app: FastifyInstance, { readiness, draining, version }: HealthOptions) {
  const live = JSON.stringify({ status: 'live', version })
  app.get('/livez', {
    schema: { hide: true },
    handler: (_request, reply) => reply.answer(200, live),
  })
  closePath(app, '/livez', 'GET', 'HEAD')

  app.get('/readyz', {
    schema: { hide: true },
    handler: async (_request, reply) => {
      if (draining.hasBegun) throw new DomainError('unavailable', 'This process is shutting down.')
      await readiness.check()
      reply.answer(200, '{"status":"ready"}')
    },
  })
  closePath(app, '/readyz', 'GET', 'HEAD')
}
