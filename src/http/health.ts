import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import type { Readiness } from '../domain/readiness.ts'
import { gauge } from '../lib/metric.ts'
import type { ReadinessTimes } from '../lib/times.ts'
import type { Draining } from './server/draining.ts'

interface HealthOptions {
  readiness: Readiness
  draining: Draining
  version: string
}

/** /livez is for the supervisor that restarts the process, and never depends on the database. /readyz is for load balancers. */
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

/** Whether /readyz would return 200. */
export function healthMetrics(
  { readiness, draining }: Pick<HealthOptions, 'readiness' | 'draining'>,
  { metricMs }: ReadinessTimes,
) {
  const read = async () => {
    if (draining.hasBegun) return 0
    const ready = readiness.check().then(
      () => 1,
      () => 0,
    )
    return await Promise.race([ready, sleep(metricMs, 0, { ref: false })])
  }
  return [gauge('petstore_processes_ready', 'Processes that are ready for requests.', read)]
}
