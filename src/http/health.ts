import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import type { Readiness } from '../domain/readiness.ts'
import { closePath } from './gate.ts'

/** For whoever restarts the process (/livez: never because of the database), and for whoever sends it calls (/readyz). */
export function healthRoutes(app: FastifyInstance, readiness: Readiness, draining: AbortSignal) {
  app.get('/livez', { logLevel: 'warn', schema: { hide: true }, handler: async () => ({ status: 'live' }) })
  closePath(app, '/livez', 'GET', 'HEAD')

  app.get('/readyz', {
    logLevel: 'warn',
    schema: { hide: true },
    handler: async () => {
      if (draining.aborted) throw new DomainError('unavailable', 'This process is shutting down.')
      await readiness.check()
      return { status: 'ready' }
    },
  })
  closePath(app, '/readyz', 'GET', 'HEAD')
}
