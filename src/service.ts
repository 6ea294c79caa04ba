import { setTimeout as sleep } from 'node:timers/promises'
import type { DestinationStream, Logger } from 'pino'
import { type Config, settingsOf } from './config.ts'
import { connectionWarnings } from './domain/connections.ts'
import { openStores } from './domain/context.ts'
import { ExposedKeys } from './domain/exposed-keys.ts'
import { Readiness } from './domain/readiness.ts'
import { storeMetrics } from './domain/store-metrics.ts'
import { buildApp, VERSION_PREFIX } from './http/app.ts'
import { readConsole } from './http/console/files.ts'
import { AddressLimit } from './http/gate/address-limit.ts'
import { Admission } from './http/gate/admission.ts'
import { limitMetrics, RateLimits } from './http/gate/rate-limits.ts'
import { healthMetrics } from './http/health.ts'
import { documentText } from './http/openapi/document.ts'
import { Draining } from './http/server/draining.ts'
import { deliverWebhooks } from './jobs/deliver-webhooks.ts'
import { JobRunner } from './jobs/runner.ts'
import { servingJobs } from './jobs/serving.ts'
import { readBuildInfo } from './lib/build-info.ts'
import { clearTextWarnings } from './lib/clear-text.ts'
import { networkOf } from './lib/client-address.ts'
import { consoleNotes } from './lib/console-build.ts'
import type { Measured } from './lib/metric.ts'
import { TIMES, type Times } from './lib/times.ts'
import { Feed } from './storage/events/feed.ts'
import { KeyCache } from './storage/keys/cache.ts'
import { Quotas } from './storage/limits/quotas.ts'
import { Redis } from './storage/limits/redis.ts'
import { Database } from './storage/postgres/database.ts'
import { SchemaOutdated } from './storage/postgres/failures.ts'
import { DELIVERING_RIGHTS } from './storage/postgres/rights.ts'
import { DELIVERING, logDependencies } from './telemetry/dependencies.ts'
import { logStart, openLog } from './telemetry/log.ts'
import { Metrics, type Reading, serveMetrics } from './telemetry/metrics.ts'

export { openPets } from './storage/pets/pets.ts'

/** A running service. Disposing of it drains it: requests in flight get their responses, then everything is closed. */
export interface Service extends AsyncDisposable {
  address: string
  adminAddress: string | undefined
  /** What seems wrong with the settings for this database. A worker leaves it to its supervisor to log it. */
  warnings: readonly string[]
  readMetrics: () => Promise<Reading>
}

export interface ServiceOptions {
  /** Whether it shares its port and its output with other processes, whose supervisor logs where they listen. */
  isWorker?: boolean
  logTo?: DestinationStream | undefined
  times?: Times
}

// A name whose servers do not respond fails well before the request does.
const NAME_SERVERS = { timeout: 2_000, tries: 2 }

/** Listens, whether or not the database is available: /readyz reports that, and the service recovers by itself. */
export async function startService(
  config: Config,
  { isWorker = false, logTo, times = TIMES }: ServiceOptions = {},
): Promise<Service> {
  await using resources = new AsyncDisposableStack()
  const { app, log, metrics, feed, draining, start } = await assemble(config, resources, times, logTo)
  if (!isWorker) logStart(log, settingsOf(config), config.warnings)
  const warnings = await start()

  const { host, port, adminHost, adminPort } = config
  // The supervisor of a worker serves the metrics of all.
  const admin =
    metrics && !isWorker ? resources.use(await serveMetrics(() => metrics.text(), adminHost, adminPort)) : undefined
  if (!isWorker) for (const warning of [...warnings, ...clearTextWarnings(config)]) log.warn(warning)
  if (!isWorker) for (const note of consoleNotes(config)) log.info(note)
  const address = await app.listen({ host, port, ...(isWorker && { reusePort: true }) })
  log.info(`${isWorker ? 'Worker' : 'Server'} listening at ${address}`)
  if (admin) log.info(`Metrics at ${admin.address}/metrics`)

  const running = resources.move()
  return {
    address,
    adminAddress: admin?.address,
    warnings,
    readMetrics: async () => (await metrics?.read()) ?? [],
    async [Symbol.asyncDispose]() {
      log.info('draining')
      draining.begin()
      feed.endWaits()
      // Everything works as before: balancers check readiness now and then, and must have noticed.
      await sleep(config.drainDelayMs)
      draining.endConnections()
      await sleep(Math.min(times.shutdown.lastResponsesMs, config.drainDelayMs))
      await disposeWithin(times.shutdown.drainMs, running, log)
    },
  }
}

/** Delivers what webhooks are to receive, whether or not the database is available at first. Serves nothing but metrics. */
export async function startDelivery(
  config: Config,
  masterSecret: string,
  { logTo, times = TIMES }: Pick<ServiceOptions, 'logTo' | 'times'> = {},
): Promise<Pick<Service, 'adminAddress'> & AsyncDisposable> {
  // A process that serves does not load these.
  const [{ Deliverer }, { Resolver }] = await Promise.all([
    import('./delivery/deliverer.ts'),
    import('node:dns/promises'),
  ])
  await using resources = new AsyncDisposableStack()
  const { log, metrics, onBatch, opened } = observe(config, resources, logTo, false)
  const { feedChanges, ...events } = logDependencies(log, DELIVERING)
  logStart(log, settingsOf(config), config.warnings)

  const onLost = (error: Error) => {
    events.database.onLost(error)
    feed.distrust(error)
    deliverer.distrust(error)
  }
  const { databaseUrl, databaseConnections: connections, allowUnsafe, adminHost, adminPort } = config
  const databaseOptions = { ...events.database, connections, allowUnsafe, times: times.database }
  const db = opened(new Database(databaseUrl, onLost, databaseOptions))
  const source = config.publicBaseUrl ?? VERSION_PREFIX
  const isLogged = isLoggedBy(db)
  const onAdvance = () => deliverer.pump()
  const feedOptions = { ...feedChanges, onBatch, isReader: true, onAdvance, times }
  const feed: Feed = opened(new Feed(db, databaseUrl, source, feedOptions))
  const deliverer: InstanceType<typeof Deliverer> = opened(
    new Deliverer(db, databaseUrl, {
      feed,
      source,
      masterSecret,
      receivers: { networks: config.webhookNetworks, allowsLocal: config.allowsLocalReceivers },
      resolver: new Resolver(NAME_SERVERS),
      version: readBuildInfo().version,
      times,
      onDisabled: events.onWebhookDisabled,
      onSkipped: events.onWebhookSkipped,
      onReadFailed: (error) => {
        if (!isLogged(error)) events.onEventsUnread(error)
      },
    }),
  )
  const jobs = opened(new JobRunner([deliverWebhooks(deliverer, times.lease)], { log, isLogged }))

  await Promise.all([db.start(), feed.start(), deliverer.start()])
  if (!db.lostBecause) events.noteConnected()
  void noteUnfit(resources.use(new Readiness(db, DELIVERING_RIGHTS, times.readiness)), events)
  const admin = metrics && resources.use(await serveMetrics(() => metrics.text(), adminHost, adminPort))
  if (admin) log.info(`Metrics at ${admin.address}/metrics`)
  jobs.start()
  log.info('Delivering webhooks')
  const running = resources.move()
  return {
    adminAddress: admin?.address,
    async [Symbol.asyncDispose]() {
      log.info('finishing what is under way')
      await disposeWithin(times.shutdown.deliveryMs, running, log)
    },
  }
}

/** A database for a command that needs nothing else. */
export function connect(databaseUrl: string, allowUnsafe: Config['allowUnsafe'] = []) {
  // A person waits for it, who wants to know soon that the URL is wrong, but not to repeat the command because a machine is busy.
  return new Database(databaseUrl, () => {}, { allowUnsafe, times: { ...TIMES.database, holdMs: 0, connectMs: 5_000 } })
}

/** A connection for moving many pets in or out, and how the lines are read, which only http/ knows. */
export async function connectForBulk(databaseUrl: string) {
  // A process that serves does not load these.
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
  const { app } = await assemble({ ...config, logLevel: 'silent', adminPort: 0, traces: undefined }, resources, TIMES)
  await app.ready()
  return documentText(app.describe(), 2)
}

/** The log and the metrics of a process. */
function observe(config: Config, resources: AsyncDisposableStack, logTo?: DestinationStream, isServing = true) {
  const { log, logResponse, ...logOutput } = openLog(config.logLevel, logTo)
  const metrics = config.adminPort === 0 ? undefined : new Metrics({ isServing })
  const onBatch = metrics?.observeBatch.bind(metrics)
  const measured = <Part extends Measured>(part: Part) => {
    metrics?.register(part.metrics)
    return part
  }
  /** Measured, and closed when the service ends. */
  const opened = <Part extends Measured & AsyncDisposable>(part: Part) => resources.use(measured(part))
  measured(logOutput)
  return { log, logResponse, metrics, onBatch, measured, opened }
}

/** The one place where the layers meet. Nothing is connected and nothing listens yet. */
async function assemble(config: Config, resources: AsyncDisposableStack, times: Times, logTo?: DestinationStream) {
  const { log, logResponse, metrics, onBatch, measured, opened } = observe(config, resources, logTo)
  const { keyChanges, feedChanges, ...events } = logDependencies(log)

  const onLost = (error: Error) => {
    events.database.onLost(error)
    keys.distrust(error)
    feed.distrust(error)
  }
  const { databaseUrl, databaseConnections: connections, allowUnsafe } = config
  const databaseOptions = { ...events.database, connections, allowUnsafe, times: times.database }
  const db = opened(new Database(databaseUrl, onLost, databaseOptions))
  const keyOptions = { ...keyChanges, onChanged: (keyId: string) => feed.noteKeyChange(keyId), onBatch, times }
  const keys: KeyCache = opened(new KeyCache(db, databaseUrl, keyChanges.onLost, keyOptions))
  const source = config.publicBaseUrl ?? VERSION_PREFIX
  const feed: Feed = opened(new Feed(db, databaseUrl, source, { ...feedChanges, onBatch, times }))
  const stores = openStores(db, source, onBatch)
  for (const store of Object.values(stores)) if ('metrics' in store) measured(store)
  const jobs = opened(
    new JobRunner(
      servingJobs({ ...stores, feed, background: db.background, eventsRetentionMs: config.eventsRetentionMs }),
      { log, isLogged: isLoggedBy(db) },
    ),
  )
  const redis = config.redisUrl === undefined ? undefined : opened(new Redis(config.redisUrl, events.redis))
  const rateLimits = new RateLimits(new Quotas('key', redis), config.rateLimit)
  const { authFailureLimit, trustedProxies } = config
  const addressLimit =
    authFailureLimit && new AddressLimit(new Quotas('address', redis), authFailureLimit, trustedProxies)
  metrics?.register([...storeMetrics(db.background, times.readiness), ...limitMetrics(rateLimits, addressLimit)])
  const health = { readiness: resources.use(new Readiness(db, undefined, times.readiness)), draining: new Draining() }
  metrics?.register(healthMetrics(health, times.readiness))
  // Its SDK is not loaded where no collector is configured.
  const traces = config.traces && { ...config.traces, onFailed: events.onTracesFailed }
  const tracing = traces && opened(new (await import('./telemetry/traces.ts')).Traces(traces))

  const webhookSettings = {
    masterSecret: config.webhookMasterSecret,
    receivers: { networks: config.webhookNetworks, allowsLocal: config.allowsLocalReceivers },
  }
  const app = buildApp(
    { db, keys, feed, webhookSettings, ...stores },
    {
      ...health,
      logger: log,
      logResponse,
      metrics,
      tracing,
      clientTimes: times.clients,
      admission: measured(new Admission(config.maxInFlight)),
      rateLimits,
      addressLimit,
      keyMode: config.keyMode,
      hasConsole: config.consoleDirectory !== undefined,
      consoleFiles: readConsole(config.consoleDirectory),
      exposedKeys: new ExposedKeys(db.background, events.onExposedKey),
      networkOf: (request) => networkOf(request, trustedProxies),
      version: readBuildInfo().version,
      publicBaseUrl: config.publicBaseUrl,
      corsOrigins: config.corsOrigins,
      hasMcp: config.hasMcp,
      securityContact: config.securityContact,
    },
  )
  resources.defer(() => app.close())

  const start = async () => {
    // First, by itself: its client takes so long to load that a connection under way could be given up meanwhile.
    await redis?.start()
    await Promise.all([db.start(), keys.start(), feed.start()])
    if (!db.lostBecause) events.noteConnected()
    void noteUnfit(health.readiness, events)
    // Each of them writes.
    if (!allowUnsafe.includes('read_only')) jobs.start()
    return db.lostBecause ? [] : connectionWarnings(db, config, times.readiness)
  }
  return { app, log, metrics, feed, draining: health.draining, start }
}

async function disposeWithin(ms: number, running: AsyncDisposableStack, log: Logger) {
  const deadline = new AbortController()
  const late = sleep(ms, 'late', { signal: deadline.signal }).catch(() => undefined)
  const outcome = await Promise.race([running.disposeAsync(), late])
  deadline.abort()
  if (outcome === 'late') log.warn('shutdown deadline reached; some connections were still open')
  log.info('stopped')
}

/** What keeps a process from its work has a line of its own in the log. */
function isLoggedBy(db: Database) {
  return (error: unknown) => error instanceof SchemaOutdated || db.lostBecause !== undefined || db.isStalled
}

/** The start does not wait for it. */
async function noteUnfit(readiness: Readiness, events: Pick<ReturnType<typeof logDependencies>, 'noteUnfit'>) {
  const reason = await readiness.firstResult()
  if (reason !== undefined) events.noteUnfit(reason)
}
