import { setTimeout as sleep } from 'node:timers/promises'
import type { DestinationStream } from 'pino'
import type { Config } from './config.ts'
import { Readiness } from './domain/readiness.ts'
import { Admission } from './http/admission.ts'
import { buildApp } from './http/app.ts'
import { Draining } from './http/draining.ts'
import { Metrics, type Reading, serveMetrics } from './http/metrics.ts'
import { documentText } from './http/openapi.ts'
import { LINE_FORMATS } from './http/pet-lines.ts'
import { openLog } from './log.ts'
import { BulkConnection } from './storage/bulk.ts'
import { Database } from './storage/database.ts'
import { KeyCache } from './storage/key-cache.ts'
import { KeyPruner } from './storage/key-pruner.ts'
import { openKeyedPets } from './storage/keyed-pets.ts'
import { openPets } from './storage/pets.ts'

export { openPets } from './storage/pets.ts'

/** A running service. Disposing of it drains it: what is under way is answered, then everything is closed. */
export interface Service extends AsyncDisposable {
  address: string
  adminAddress: string | undefined
  readMetrics: () => Promise<Reading>
}

export interface ServiceOptions {
  /** Whether it shares its port and its output with other processes; whoever started them all says where they listen. */
  isWorker?: boolean
  logTo?: DestinationStream
}

// For who keeps a connection to hear, with the next answer on it, that it is the last: closed in between, it could cross a
// request on its way.
const LAST_ANSWERS_MS = 500
// What has not been answered this long after that never will be.
const DRAIN_DEADLINE_MS = 10_000

/** Listens, whether or not the database is there: /readyz tells, and the service comes back by itself. */
export async function startService(config: Config, { isWorker = false, logTo }: ServiceOptions = {}): Promise<Service> {
  await using resources = new AsyncDisposableStack()
  const { app, db, keys, pruner, metrics, log, draining } = assemble(config, resources, logTo)
  await Promise.all([db.start(), keys.start()])
  pruner.start()

  const { host, port, adminPort } = config
  const admin = adminPort === 0 ? undefined : resources.use(await serveMetrics(() => metrics.text(), host, adminPort))
  const address = await app.listen({ host, port, ...(isWorker && { reusePort: true }) })
  log.info(`${isWorker ? 'Worker' : 'Server'} listening at ${address}`)
  if (admin) log.info(`Metrics at ${admin.address}/metrics`)

  const running = resources.move()
  return {
    address,
    adminAddress: admin?.address,
    readMetrics: () => metrics.read(),
    async [Symbol.asyncDispose]() {
      log.info('draining')
      draining.begin()
      // All goes on as before: whoever sends the calls asks for readiness now and then, and must have noticed.
      await sleep(config.drainDelayMs)
      draining.endConnections()
      await sleep(Math.min(LAST_ANSWERS_MS, config.drainDelayMs))
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
  // A person waits for it, who soon wants to hear that the address is wrong.
  return new Database(databaseUrl, () => {}, { holdMs: 0 })
}

/** A connection for moving many pets in or out, and how the lines are read, which only the wire knows. */
export async function connectForBulk(databaseUrl: string) {
  const db = await BulkConnection.open(databaseUrl)
  return { db, lineFormats: LINE_FORMATS }
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
  const { log, logAnswer } = openLog(config.logLevel, logTo)
  const onLost = (error: Error) => {
    log.warn({ err: error }, 'the database is lost; calls wait for it for a while, and are refused after that')
    keys.distrust(error)
  }
  const onStalled = (error: Error) =>
    log.warn(
      { err: error },
      'the database confirms no commit; adding pets waits for a while, and is refused after that',
    )
  const onFound = () => log.info('the database is there again')
  const { allowUnsafe } = config
  const db = resources.use(new Database(config.databaseUrl, onLost, { allowUnsafe, onFound, onStalled }))
  const keys: KeyCache = resources.use(
    new KeyCache(db, config.databaseUrl, (error) => log.warn({ err: error }, 'not hearing of key changes; will retry')),
  )
  const pruner = resources.use(
    new KeyPruner(db, (error) => log.warn({ err: error }, 'could not remove old idempotency keys; will retry')),
  )
  const admission = new Admission(config.maxInFlight)
  const metrics = new Metrics()
  tellLoad(metrics, admission, db)
  const draining = new Draining()
  const app = buildApp(
    { db, pets: openPets(db), keyedPets: openKeyedPets(db), keys },
    {
      logger: log,
      logAnswer,
      publicBaseUrl: config.publicBaseUrl,
      corsOrigins: config.corsOrigins,
      readiness: new Readiness(db),
      metrics,
      admission,
      draining,
    },
  )
  resources.defer(() => app.close())
  return { app, db, keys, pruner, metrics, log, draining }
}

/** What an operator watches when there is too much to do, or the database fails. */
function tellLoad(metrics: Metrics, admission: Admission, db: Database) {
  metrics.tell('gauge', 'petstore_requests_in_flight', 'Calls under /v1 that are not answered yet.', () => {
    return admission.counts.inFlight
  })
  metrics.tell('counter', 'petstore_requests_shed_total', 'Calls refused since too many were in flight.', () => {
    return admission.counts.refused
  })
  metrics.tell('gauge', 'petstore_database_lost', 'Processes that have lost the primary.', () => {
    return db.lostBecause ? 1 : 0
  })
  metrics.tell('gauge', 'petstore_statements_held', 'Statements that wait for the lost primary.', () => db.counts.held)
  metrics.tell('counter', 'petstore_statement_retries_total', 'Statements sent again.', () => db.counts.retries)
  metrics.tell(
    'counter',
    'petstore_outcomes_unknown_total',
    'Batches of creates of which nobody knows whether they were done.',
    () => {
      return db.counts.ambiguous
    },
  )
}
