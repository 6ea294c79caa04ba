import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DestinationStream, pino } from 'pino'
import type { Config } from './config.ts'
import { Readiness } from './domain/readiness.ts'
import { buildApp } from './http/app.ts'
import { Metrics } from './http/metrics.ts'
import { documentText } from './http/openapi.ts'
import { Database } from './storage/database.ts'
import { KeyCache } from './storage/key-cache.ts'

/** A running service. Disposing of it drains it: what is under way is answered, then everything is closed. */
export interface Service extends AsyncDisposable {
  address: string
  adminAddress: string | undefined
}

export interface ServiceOptions {
  /** How long, once shutting down, calls are still taken, so that whoever sends them can notice and turn away. */
  graceMs?: number
  logTo?: DestinationStream
}

// What has not been answered this long after the grace never will be.
const DRAIN_DEADLINE_MS = 10_000

/** Listens, whether or not the database is there: /readyz tells, and the service comes back by itself. */
export async function startService(config: Config, { graceMs = 0, logTo }: ServiceOptions = {}): Promise<Service> {
  await using resources = new AsyncDisposableStack()
  const { app, keys, metrics, log, draining } = assemble(config, resources, logTo)
  await keys.start()

  const adminAddress = config.adminPort === 0 ? undefined : await listenForMetrics(metrics, config, resources)
  const address = await app.listen({ host: config.host, port: config.port })
  if (adminAddress) log.info(`Metrics at ${adminAddress}/metrics`)

  const running = resources.move()
  return {
    address,
    adminAddress,
    async [Symbol.asyncDispose]() {
      draining.abort()
      log.info('draining')
      await sleep(graceMs)
      const deadline = new AbortController()
      const late = sleep(DRAIN_DEADLINE_MS, 'late', { signal: deadline.signal }).catch(() => undefined)
      const outcome = await Promise.race([running.disposeAsync(), late])
      deadline.abort()
      if (outcome === 'late') log.warn('not everything could be closed in time')
      log.info('stopped')
    },
  }
}

/** A database for a command that needs nothing else. */
export function connect(databaseUrl: string) {
  return new Database(databaseUrl, () => {})
}

/** The document that the routes describe; needs no database. */
export async function openApiDocument(config: Config) {
  await using resources = new AsyncDisposableStack()
  const { app } = assemble({ ...config, logLevel: 'silent' }, resources)
  await app.ready()
  return documentText(app, 2)
}

/** The one place where the layers meet. Nothing is connected and nothing listens yet. */
function assemble(config: Config, resources: AsyncDisposableStack, logTo?: DestinationStream) {
  const log = pino({ level: config.logLevel }, logTo)
  const db = resources.use(
    new Database(config.databaseUrl, (error) => log.warn({ err: error }, 'lost a database connection')),
  )
  const keys = resources.use(
    new KeyCache(db, config.databaseUrl, (error) => log.warn({ err: error }, 'not hearing of key changes; will retry')),
  )
  const metrics = new Metrics()
  const draining = new AbortController()
  const app = buildApp(
    { db, keys },
    {
      logger: log,
      publicBaseUrl: config.publicBaseUrl,
      corsOrigins: config.corsOrigins,
      readiness: new Readiness(db),
      metrics,
      draining: draining.signal,
    },
  )
  resources.defer(() => app.close())
  return { app, keys, metrics, log, draining }
}

async function listenForMetrics(metrics: Metrics, { host, adminPort }: Config, resources: AsyncDisposableStack) {
  const server = metrics.createServer().listen(adminPort, host)
  await once(server, 'listening')
  resources.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://${host}:${adminPort}`
}
