import { setTimeout as sleep } from 'node:timers/promises'
import type { DestinationStream, Logger } from 'pino'
import type { Config } from './config.ts'
import { ExposedKeys } from './domain/exposed-keys.ts'
import { Readiness } from './domain/readiness.ts'
import { tellFigures } from './figures.ts'
import { AddressBar } from './http/address-bar.ts'
import { Admission } from './http/admission.ts'
import { buildApp } from './http/app.ts'
import { Draining } from './http/draining.ts'
import { Metrics, type Reading, serveMetrics } from './http/metrics.ts'
import { documentText } from './http/openapi.ts'
import { RateLimits } from './http/rate-limits.ts'
import { openLog } from './log.ts'
import { Database } from './storage/database.ts'
import { DeprecatedCalls } from './storage/deprecated-calls.ts'
import { KeyCache } from './storage/key-cache.ts'
import { KeyPruner } from './storage/key-pruner.ts'
import { openKeyUses } from './storage/key-uses.ts'
import { openKeyedPets } from './storage/keyed-pets.ts'
import { openPets } from './storage/pets.ts'
import { Quotas } from './storage/quotas.ts'
import { Redis } from './storage/redis.ts'

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
  // What nobody asked for is not even loaded.
  const traces = config.traces && (await import('./traces.ts'))
  const assembled = assemble(config, resources, logTo, traces)
  const { app, db, keys, redis, pruner, deprecatedCalls, metrics, log, draining } = assembled
  // First, by itself: its client takes so long to load that a connection under way could be given up meanwhile.
  await redis?.start()
  await Promise.all([db.start(), keys.start()])
  pruner.start()
  deprecatedCalls.start()

  const { host, port, adminPort } = config
  // Whoever started a worker tells the metrics of all.
  const admin =
    metrics && !isWorker ? resources.use(await serveMetrics(() => metrics.text(), host, adminPort)) : undefined
  const address = await app.listen({ host, port, ...(isWorker && { reusePort: true }) })
  log.info(`${isWorker ? 'Worker' : 'Server'} listening at ${address}`)
  if (admin) log.info(`Metrics at ${admin.address}/metrics`)

  const running = resources.move()
  return {
    address,
    adminAddress: admin?.address,
    readMetrics: async () => (await metrics?.read()) ?? [],
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
  // Not loaded by whoever serves.
  const [{ BulkConnection }, { LINE_FORMATS }] = await Promise.all([
    import('./storage/bulk.ts'),
    import('./http/pet-lines.ts'),
  ])
  const db = await BulkConnection.open(databaseUrl)
  return { db, lineFormats: LINE_FORMATS }
}

/** The document that the routes describe; needs no database. */
export async function openApiDocument(config: Config) {
  await using resources = new AsyncDisposableStack()
  const { app } = assemble({ ...config, logLevel: 'silent', adminPort: 0 }, resources)
  await app.ready()
  return documentText(app, 2)
}

/** The one place where the layers meet. Nothing is connected and nothing listens yet. */
function assemble(
  config: Config,
  resources: AsyncDisposableStack,
  logTo?: DestinationStream,
  traces?: typeof import('./traces.ts'),
) {
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
  const exposedKeys = new ExposedKeys(db, (keyId, requestId) =>
    log.warn({ keyId, requestId }, 'this key stood in the address of a call and is exposed; rotate it'),
  )
  const metrics = config.adminPort === 0 ? undefined : new Metrics()
  const onBatch = metrics && ((batch: string, items: number) => metrics.observeBatch(batch, items))
  const deprecatedCalls = resources.use(
    new DeprecatedCalls(
      db,
      (error) => log.warn({ err: error }, 'could not store how often deprecated operations are called; will retry'),
      onBatch,
    ),
  )
  const pets = openPets(db, onBatch)
  const keyedPets = openKeyedPets(db, onBatch)
  const admission = new Admission(config.maxInFlight)
  const { redis, ...limits } = openLimits(config, resources, log)
  const draining = new Draining()
  const readiness = new Readiness(db)
  const tracing =
    config.traces &&
    traces &&
    resources.use(
      new traces.Traces({
        ...config.traces,
        onFailed: (error) => log.warn({ err: error }, 'the collector takes no traces; they are dropped meanwhile'),
      }),
    )
  if (metrics)
    tellFigures(metrics, {
      admission,
      db,
      deprecatedCalls,
      draining,
      keyedPets,
      keys,
      pets,
      pruner,
      readiness,
      redis,
      tracing,
      ...limits,
    })
  const app = buildApp(
    { db, pets, keyedPets, keys, keyUses: openKeyUses(db), deprecatedCalls },
    {
      logger: log,
      logAnswer,
      publicBaseUrl: config.publicBaseUrl,
      corsOrigins: config.corsOrigins,
      readiness,
      exposedKeys,
      metrics,
      tracing,
      admission,
      ...limits,
      draining,
    },
  )
  resources.defer(() => app.close())
  return { app, db, keys, redis, pruner, deprecatedCalls, metrics, log, draining }
}

function openLimits(
  { redisUrl, rateLimit, authFailureLimit, trustedProxies }: Config,
  resources: AsyncDisposableStack,
  log: Logger,
) {
  const onLost = (error: Error) =>
    log.warn({ err: error }, 'Redis is lost; each process counts by itself until it is back')
  const onFound = () => log.info('Redis is there again')
  const redis = redisUrl === undefined ? undefined : resources.use(new Redis(redisUrl, { onLost, onFound }))
  const rateLimits = new RateLimits(new Quotas('key', redis), rateLimit)
  const addressBar = authFailureLimit && new AddressBar(new Quotas('address', redis), authFailureLimit, trustedProxies)
  return { redis, rateLimits, addressBar }
}
