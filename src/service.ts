import { setTimeout as sleep } from 'node:timers/promises'
import type { DestinationStream, Logger } from 'pino'
import { type Config, type StoreConfig, settingsOf } from './config.ts'
import { Stores } from './domain/stores.ts'
import { buildApp, VERSION_PREFIX } from './http/app.ts'
import { readConsole } from './http/console/files.ts'
import { AddressLimit } from './http/gate/address-limit.ts'
import { Admission } from './http/gate/admission.ts'
import { limitMetrics, RateLimits } from './http/gate/rate-limits.ts'
import { healthMetrics, storesReady } from './http/health.ts'
import { documentText } from './http/openapi/document.ts'
import { Draining } from './http/server/draining.ts'
import { readBuildInfo } from './lib/build-info.ts'
import { clearTextWarnings } from './lib/clear-text.ts'
import { networkOf } from './lib/client-address.ts'
import { consoleNotes } from './lib/console-build.ts'
import { eventSource, namedAddress, type StoreAddress } from './lib/ids/store-address.ts'
import { type Measured, withLabels } from './lib/metric.ts'
import { TIMES, type Times } from './lib/times.ts'
import { Quotas } from './storage/limits/quotas.ts'
import { Redis } from './storage/limits/redis.ts'
import { Database } from './storage/postgres/database.ts'
import { openDeliveries, openStore } from './store.ts'
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

/** Listens, whether or not the database is available: /readyz reports that, and the service recovers by itself. */
export async function startService(
  config: Config,
  { isWorker = false, logTo, times = TIMES }: ServiceOptions = {},
): Promise<Service> {
  await using resources = new AsyncDisposableStack()
  const { app, log, metrics, stores, draining, start } = await assemble(config, resources, times, logTo)
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
      for (const { feed } of stores.all) feed.endWaits()
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
  await using resources = new AsyncDisposableStack()
  const { log, metrics, reportsOf, openedStore } = observe(config, resources, logTo, false)
  logStart(log, settingsOf(config), config.warnings)
  const opening = config.stores.map((settings) => {
    const { address } = settings
    const source = eventSource(config.publicBaseUrl ?? VERSION_PREFIX, address)
    return openDeliveries(settings, masterSecret, source, { config, times, ...reportsOf(address, DELIVERING) })
  })
  const deliveries = (await Promise.all(opening)).map(openedStore)
  await startStores(deliveries)
  const admin = metrics && resources.use(await serveMetrics(() => metrics.text(), config.adminHost, config.adminPort))
  if (admin) log.info(`Metrics at ${admin.address}/metrics`)
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
export function connect(databaseUrl: string, allowed: Config['allowUnsafe'] = []) {
  // A person waits for it, who wants to know soon that the URL is wrong, but not to repeat the command because a machine is busy.
  return new Database(databaseUrl, () => {}, {
    required: { allowed },
    times: { ...TIMES.database, holdMs: 0, connectMs: 5_000 },
  })
}

/** A connection for moving many pets or categories in or out, and how the lines are read, which only http/ knows. */
export async function connectForBulk(databaseUrl: string) {
  // A process that serves does not load these.
  const [{ BulkConnection }, { LINE_FORMATS }, { readCategory }] = await Promise.all([
    import('./storage/postgres/bulk.ts'),
    import('./http/pets/lines.ts'),
    import('./http/categories/lines.ts'),
  ])
  const db = await BulkConnection.open(databaseUrl)
  return { db, lineFormats: LINE_FORMATS, readCategory }
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
  const measured = <Part extends Measured>(part: Part) => {
    metrics?.register(part.metrics)
    return part
  }
  /** Measured, and closed when the service ends. */
  const opened = <Part extends Measured & AsyncDisposable>(part: Part) => resources.use(measured(part))
  const labelsOf = (address: StoreAddress): Record<string, string> =>
    config.stores.length > 1 ? { store: address } : {}
  const openedStore = <Part extends Measured & AsyncDisposable & { address: StoreAddress }>(part: Part) => {
    metrics?.register(withLabels(labelsOf(part.address), part.metrics))
    return resources.use(part)
  }
  /** What a store reports to. */
  const reportsOf = (address: StoreAddress, consequences?: typeof DELIVERING) => {
    const timings = metrics?.timingsOf(labelsOf(address))
    const named = namedAddress(address)
    const ownLog = named === undefined ? log : log.child({ store: named })
    return {
      log: ownLog,
      events: logDependencies(ownLog, consequences),
      onBatch: timings?.observe.bind(timings),
      onStatement: timings?.observeStatement.bind(timings),
    }
  }
  measured(logOutput)
  return { log, logResponse, metrics, measured, opened, openedStore, reportsOf }
}

/** The one place where the layers meet. Nothing is connected and nothing listens yet. */
async function assemble(config: Config, resources: AsyncDisposableStack, times: Times, logTo?: DestinationStream) {
  const { log, logResponse, metrics, measured, opened, openedStore, reportsOf } = observe(config, resources, logTo)
  const events = logDependencies(log)
  const open = (settings: StoreConfig) =>
    openedStore(openStore(settings, { config, times, ...reportsOf(settings.address) }))
  const [live, ...others] = config.stores
  const stores = new Stores([open(live), ...others.map(open)])
  const addresses = stores.all.map(({ address }) => address)
  const redis = config.redisUrl === undefined ? undefined : opened(new Redis(config.redisUrl, events.redis))
  const rateLimits = new RateLimits(new Quotas('key', redis), config.rateLimit)
  const { authFailureLimit, trustedProxies } = config
  const addressLimit =
    authFailureLimit && new AddressLimit(new Quotas('address', redis), authFailureLimit, trustedProxies)
  metrics?.register(limitMetrics(rateLimits, addressLimit))
  const health = { readiness: stores.default.readiness, draining: new Draining() }
  metrics?.register(healthMetrics(health, times.readiness))
  if (others.length > 0) metrics?.register([storesReady(stores.all, times.readiness)])
  // Its SDK is not loaded where no collector is configured.
  const traces = config.traces && { ...config.traces, onFailed: events.onTracesFailed }
  const tracing = traces && opened(new (await import('./telemetry/traces.ts')).Traces(traces))

  const app = buildApp({
    stores,
    ...health,
    logger: log,
    logResponse,
    metrics,
    tracing,
    clientTimes: times.clients,
    admission: measured(new Admission(config.maxInFlight, addresses)),
    rateLimits,
    webhookSettings: {
      masterSecret: config.webhookMasterSecret,
      receivers: { networks: config.webhookNetworks, allowsLocal: config.allowsLocalReceivers },
    },
    addressLimit,
    keyMode: config.keyMode,
    hasConsole: config.consoleDirectory !== undefined,
    consoleFiles: readConsole(config.consoleDirectory),
    closingTime: config.closingTime,
    networkOf: (request) => networkOf(request, trustedProxies),
    ...readBuildInfo(),
    publicBaseUrl: config.publicBaseUrl,
    corsOrigins: config.corsOrigins,
    hasMcp: config.hasMcp,
    securityContact: config.securityContact,
  })
  resources.defer(() => app.close())

  const start = async () => {
    // First, by itself: its client takes so long to load that a connection under way could be given up meanwhile.
    await redis?.start()
    return (await startStores(stores.all)) ?? []
  }
  return { app, log, metrics, stores, draining: health.draining, start }
}

/** Waits for the first, the default store. Another may not respond, and would count as lost only after some seconds. */
async function startStores<T>([first, ...others]: readonly { start: () => Promise<T> }[]) {
  for (const each of others) void each.start()
  return await first?.start()
}

async function disposeWithin(ms: number, running: AsyncDisposableStack, log: Logger) {
  const deadline = new AbortController()
  const late = sleep(ms, 'late', { signal: deadline.signal }).catch(() => undefined)
  const outcome = await Promise.race([running.disposeAsync(), late])
  deadline.abort()
  if (outcome === 'late') log.warn('shutdown deadline reached; some connections were still open')
  log.info('stopped')
}
