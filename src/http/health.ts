import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import type { Readiness } from '../domain/readiness.ts'
import type { StoreAddress } from '../lib/ids/store-address.ts'
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
  const read = async () => (draining.hasBegun ? 0 : await isReady(readiness, metricMs))
  return [gauge('petstore_processes_ready', 'Processes that are ready for requests.', read)]
}

/** Of the stores of a process that has several. */
export function storesReady(
  each: readonly { address: StoreAddress; readiness: Readiness }[],
  { metricMs }: ReadinessTimes,
) {
  return gauge('petstore_store_ready', 'Processes in which a store is ready for requests, by store.', async () => {
    const values = each.map(async ({ address, readiness }) => ({
      labels: { store: address },
      value: await isReady(readiness, metricMs),
    }))
    return await Promise.all(values)
  })
}

async function isReady(readiness: Readiness, withinMs: number) {
  const ready = readiness.check().then(
    () => 1,
    () => 0,
  )
  return await Promise.race([ready, sleep(withinMs, 0, { ref: false })])
}
