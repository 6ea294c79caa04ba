import { setTimeout as sleep } from 'node:timers/promises'
import type { DestinationStream, Logger } from 'pino'
import type { Config } from './config.ts'
import { DomainError } from './domain/errors.ts'
import { ExposedKeys } from './domain/exposed-keys.ts'
import { Readiness } from './domain/readiness.ts'
import { buildApp } from './http/app.ts'
import { AddressLimit } from './http/gate/address-limit.ts'
import { Admission } from './http/gate/admission.ts'
import { RateLimits } from './http/gate/rate-limits.ts'
import { documentText } from './http/openapi/document.ts'
import { Draining } from './http/server/draining.ts'
import { reasonOf } from './http/wire/errors.ts'
import { pruneIdempotencyKeys } from './jobs/prune-idempotency-keys.ts'
import { JobRunner } from './jobs/runner.ts'
import { storeDeprecatedCalls } from './jobs/store-deprecated-calls.ts'
import { readBuildInfo } from './lib/build-info.ts'
import { clearTextWarnings } from './lib/clear-text.ts'
import { clientAddress, networkName } from './lib/client-address.ts'
import { DeprecatedCalls } from './storage/deprecations/calls.ts'
import { openKeyedPets } from './storage/idempotency/keyed-pets.ts'
import { KeyCache } from './storage/keys/cache.ts'
import { openKeyUses } from './storage/keys/uses.ts'
import { Quotas } from './storage/limits/quotas.ts'
import { Redis } from './storage/limits/redis.ts'
import { openPets } from './storage/pets/pets.ts'
import { Database } from './storage/postgres/database.ts'
import { SchemaOutdated } from './storage/postgres/failures.ts'
import { tellFigures } from './telemetry/figures.ts'
import { logStart, openLog } from './telemetry/log.ts'
import { Metrics, type Reading, serveMetrics } from './telemetry/metrics.ts'

export { openPets } from './storage/pets/pets.ts'

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
  const traces = config.traces && (await import('./telemetry/traces.ts'))
  const assembled = assemble(config, resources, logTo, traces)
  if (!isWorker) logStart(assembled.log, config)
  const { app, db, keys, readiness, redis, jobs, metrics, log, draining } = assembled
  // First, by itself: its client takes so long to load that a connection under way could be given up meanwhile.
  await redis?.start()
  await Promise.all([db.start(), keys.start()])
  assembled.state.wasConnected ||= db.lostBecause === undefined
  // The start does not wait for it. What else it may find is logged elsewhere.
  void readiness.check().catch((error: unknown) => {
    if (!(error instanceof DomainError) || assembled.state.isOutdated) return
    log.error(error.message)
    assembled.state.isOutdated = true
  })
  jobs.start()

  const { host, port, adminHost, adminPort } = config
  // Whoever started a worker tells the metrics of all.
  const admin =
    metrics && !isWorker ? resources.use(await serveMetrics(() => metrics.text(), adminHost, adminPort)) : undefined
  if (!isWorker) for (const warning of clearTextWarnings(config)) log.warn(warning)
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
    import('./storage/postgres/bulk.ts'),
    import('./http/pets/lines.ts'),
  ])
  const db = await BulkConnection.open(databaseUrl)
  return { db, lineFormats: LINE_FORMATS }
}

/** The document that the routes describe; needs no database. */
export async function openApiDocument(config: Config) {
  await using resources = new AsyncDisposableStack()
  const { app } = assemble({ ...config, logLevel: 'silent', adminPort: 0 }, resources)
  await app.ready()
  return documentText(app.describe(), 2)
}

/** The one place where the layers meet. Nothing is connected and nothing listens yet. */
function assemble(
  config: Config,
  resources: AsyncDisposableStack,
  logTo?: DestinationStream,
  traces?: typeof import('./telemetry/traces.ts'),
) {
  const { log, logResponse, linesLost } = openLog(config.logLevel, logTo)
  /** What the log has said already. */
  const state = { wasConnected: false, isOutdated: false }
  const onLost = (error: Error) => {
    const what = state.wasConnected ? 'lost the connection to the database' : 'cannot connect to the database'
    log.warn({ reason: reasonOf(error) }, `${what}; requests are held for up to 5 s, then rejected`)
    keys.distrust(error)
  }
  const onStalled = (error: Error) =>
    log.warn(
      { reason: reasonOf(error) },
      'commits are not being acknowledged (standby down?); writes are held for up to 5 s, then rejected',
    )
  const { databaseUrl, databaseConnections: connections, allowUnsafe } = config
  const db = resources.use(
    new Database(databaseUrl, onLost, {
      connections,
      allowUnsafe,
      onFound: () => {
        log.info(`connected to the database${state.wasConnected ? ' again' : ''}`)
        state.wasConnected = true
      },
      onStalled,
      onResumed: () => log.info('commits are acknowledged again'),
      onSchema: (isOutdated) => {
        if (isOutdated && !state.isOutdated) log.error(OUTDATED)
        else if (!isOutdated) log.info('the database schema is up to date')
        state.isOutdated = isOutdated
      },
    }),
  )
  const metrics = config.adminPort === 0 ? undefined : new Metrics()
  const onBatch = metrics && ((batch: string, items: number) => metrics.observeBatch(batch, items))
  const onUnheard = (error: Error | undefined) =>
    log.warn({ reason: reasonOf(error) }, 'lost notifications of key changes; keys are not cached until they are back')
  const onHeard = () => log.info('notified of key changes again')
  const keys: KeyCache = resources.use(new KeyCache(db, databaseUrl, onUnheard, { onFound: onHeard, onBatch }))
  const exposedKeys = new ExposedKeys(db, (keyId, requestId) =>
    log.warn({ keyId, requestId }, 'the URL of a request contained this key: it is exposed, rotate it'),
  )
  const build = readBuildInfo()
  const deprecatedCalls = new DeprecatedCalls(db, onBatch)
  const jobs = resources.use(
    new JobRunner([pruneIdempotencyKeys(db.background), storeDeprecatedCalls(deprecatedCalls)], {
      log,
      // What keeps requests from being served has a line of its own.
      isLogged: (error) => error instanceof SchemaOutdated || db.lostBecause !== undefined || db.isStalled,
    }),
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
      build,
      db,
      deprecatedCalls,
      draining,
      jobs,
      keyedPets,
      keys,
      linesLost,
      pets,
      readiness,
      redis,
      tracing,
      ...limits,
    })
  const app = buildApp(
    { db, pets, keyedPets, keys, keyUses: openKeyUses(db.background), deprecatedCalls },
    {
      logger: log,
      logResponse,
      networkOf: ({ socket, headers }) => {
        const forwardedFor = headers['x-forwarded-for'] as string | undefined
        const address = clientAddress(socket.remoteAddress ?? '', forwardedFor, config.trustedProxies)
        return address === undefined ? undefined : networkName(address)
      },
      version: build.version,
      publicBaseUrl: config.publicBaseUrl,
      corsOrigins: config.corsOrigins,
      securityContact: config.securityContact,
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
  return { app, db, keys, readiness, redis, jobs, metrics, log, draining, state }
}

const OUTDATED = 'the database schema is outdated; requests are rejected until you run `petstore migrate`'

function openLimits(
  { redisUrl, rateLimit, authFailureLimit, trustedProxies }: Config,
  resources: AsyncDisposableStack,
  log: Logger,
) {
  const onLost = (error: Error) =>
    log.warn(
      { reason: reasonOf(error) },
      'lost the connection to Redis; each process counts on its own until it is back',
    )
  const onFound = () => log.info('connected to Redis again')
  const redis = redisUrl === undefined ? undefined : resources.use(new Redis(redisUrl, { onLost, onFound }))
  const rateLimits = new RateLimits(new Quotas('key', redis), rateLimit)
  const addressLimit =
    authFailureLimit && new AddressLimit(new Quotas('address', redis), authFailureLimit, trustedProxies)
  return { redis, rateLimits, addressLimit }
}
