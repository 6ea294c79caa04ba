import type { Logger } from 'pino'
import type { Config, StoreConfig } from './config.ts'
import { ExposedKeys } from './domain/exposed-keys.ts'
import { Readiness } from './domain/readiness.ts'
import { startWarnings } from './domain/start-warnings.ts'
import { openRepositories } from './domain/store.ts'
import { storeMetrics } from './domain/store-metrics.ts'
import { deliverWebhooks } from './jobs/deliver-webhooks.ts'
import { type Job, JobRunner } from './jobs/runner.ts'
import { servingJobs } from './jobs/serving.ts'
import type { OnBatch } from './lib/batch.ts'
import { readBuildInfo } from './lib/build-info.ts'
import type { KeyMode } from './lib/ids/key-format.ts'
import { DEFAULT_STORE, type StoreAddress } from './lib/ids/store-address.ts'
import type { Measured, Metric } from './lib/metric.ts'
import type { Times } from './lib/times.ts'
import { Feed } from './storage/events/feed.ts'
import { KeyCache } from './storage/keys/cache.ts'
import { newClient } from './storage/postgres/connection.ts'
import { Database } from './storage/postgres/database.ts'
import { SchemaOutdated } from './storage/postgres/failures.ts'
import { type OnStatement, observed } from './storage/postgres/observed.ts'
import { DELIVERING_PRIVILEGES, type RequiredPrivileges } from './storage/postgres/privileges.ts'
import type { logDependencies } from './telemetry/dependencies.ts'

export interface StoreOptions {
  config: Config
  log: Logger
  events: ReturnType<typeof logDependencies>
  onBatch: OnBatch | undefined
  onStatement?: OnStatement | undefined
  times: Times
}

// A name fails well before the request does, if its servers do not respond.
const NAME_SERVERS = { timeout: 2_000, tries: 2 }

/** Opens a store for a process that serves. Nothing is connected before `start`. */
export function openStore(settings: StoreConfig, options: StoreOptions) {
  const { config, events, onBatch, onStatement, times } = options
  const { keyChanges, feedChanges } = events
  const parts = new Parts(settings, options)
  const { address } = settings
  const keyModes: readonly KeyMode[] = config.stores.length > 1 ? [address] : ['live', 'test']
  const { db, url, readiness, metrics } = parts
  const feed = parts.connected(new Feed(db, url, { ...feedChanges, onBatch, times }))
  const onChanged = (keyId: string) => feed.noteKeyChange(keyId)
  const keyOptions = { ...keyChanges, address, onChanged, onBatch, times }
  const keys = parts.connected(new KeyCache(db, url, keyChanges.onLost, keyOptions))
  const repositories = openRepositories(db, onBatch)
  for (const repository of Object.values(repositories)) if ('metrics' in repository) metrics.push(...repository.metrics)
  const { eventsRetentionMs } = config
  const jobs = parts.jobs(servingJobs({ ...repositories, feed, background: db.background, eventsRetentionMs }))
  metrics.push(...storeMetrics(db.background, times.readiness))
  return {
    ...repositories,
    address,
    keyModes,
    db: observed(db, onStatement),
    keys,
    feed,
    readiness,
    exposedKeys: new ExposedKeys(db.background, events.onExposedKey),
    metrics,
    /** Returns warnings about the settings for this database. */
    async start() {
      await parts.start()
      // Every job writes.
      if (!config.allowUnsafe.includes('read_only')) jobs.start()
      if (address !== DEFAULT_STORE || db.downReason) return []
      const { workers, keyMode, stores } = config
      const hasSandbox = stores.length > 1
      return startWarnings(db, { address, workers, stores, keyMode, hasSandbox }, times.readiness)
    },
    [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose](),
  }
}

/** Opens a store for a process that delivers. `source` is where its events come from, as receivers see it. */
export async function openDeliveries(
  settings: StoreConfig,
  masterSecret: string,
  source: string,
  options: StoreOptions,
) {
  // A process that serves does not load these.
  const [{ Deliverer }, { Resolver }] = await Promise.all([
    import('./delivery/deliverer.ts'),
    import('node:dns/promises'),
  ])
  const { config, events, onBatch, times } = options
  const parts = new Parts(settings, options, DELIVERING_PRIVILEGES)
  const { db, url, metrics } = parts
  // They depend on each other: the feed notifies the deliverer of new events, and the deliverer reads them from the feed.
  const onAdvance = () => deliverer.pump()
  const feedOptions = { ...events.feedChanges, onBatch, isReader: true, onAdvance, times }
  const feed: Feed = parts.connected(new Feed(db, url, feedOptions))
  const deliverer: InstanceType<typeof Deliverer> = parts.connected(
    new Deliverer(db, url, {
      feed,
      source,
      masterSecret,
      receivers: { networks: config.webhookNetworks, allowsLocal: config.allowsLocalReceivers },
      resolver: new Resolver(NAME_SERVERS),
      version: readBuildInfo().version,
      times,
      onDisabled: events.onWebhookDisabled,
      onPaused: events.onWebhookPaused,
      onSkipped: events.onWebhookSkipped,
      onReadFailed: (error) => {
        if (!parts.isLogged(error)) events.onEventsUnread(error)
      },
    }),
  )
  const jobs = parts.jobs([deliverWebhooks(deliverer, times.lease)])
  return {
    address: settings.address,
    metrics,
    async start() {
      await parts.start()
      jobs.start()
    },
    [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose](),
  }
}

/** A part with its own connection to the database. */
interface Connected extends Measured, AsyncDisposable {
  start: () => Promise<void>
  /** Called when the database is lost: the connection may look sound, and never bring a message again. */
  distrust: (error: Error) => void
}

/** The database of a store with all that depends on it: started, notified of a lost database, and ended together. */
class Parts implements AsyncDisposable {
  readonly db: Database
  readonly url: string
  readonly readiness: Readiness
  readonly metrics: Metric[] = []
  readonly #address: StoreAddress
  readonly #connected: Connected[] = []
  readonly #resources = new AsyncDisposableStack()
  readonly #options: StoreOptions

  constructor(
    { address, databaseUrl, connections }: StoreConfig,
    options: StoreOptions,
    privileges?: readonly RequiredPrivileges[],
  ) {
    this.#options = options
    const { events, times } = options
    const { allowUnsafe, stores } = options.config
    this.url = databaseUrl
    this.#address = address
    const onLost = (error: Error) => {
      events.database.onLost(error)
      for (const part of this.#connected) part.distrust(error)
    }
    // Alone it is the live store. Beside another, its URL may be that of the other.
    const required = { address, mayBeUnmarked: stores.length === 1, allowed: allowUnsafe }
    const databaseOptions = { ...events.database, required, connections, times: times.database }
    this.db = this.#opened(new Database(databaseUrl, onLost, databaseOptions))
    this.readiness = new Readiness(this.db, privileges, times.readiness)
  }

  /** Started and closed with the database, and notified when it is lost. */
  connected<Part extends Connected>(part: Part) {
    this.#connected.push(part)
    return this.#opened(part)
  }

  jobs(jobs: readonly Job[]) {
    return this.#opened(new JobRunner(jobs, { log: this.#options.log, isLogged: (error) => this.isLogged(error) }))
  }

  /** Whether the log already has the reason: an outdated schema, a lost database and stalled commits are logged once, by themselves. */
  isLogged(error: unknown) {
    return error instanceof SchemaOutdated || this.db.downReason !== undefined || this.db.isStalled
  }

  /** Only the default store may keep the process from starting. */
  async start() {
    const throwsUnsafe = this.#address === DEFAULT_STORE
    // Throws if the URL names a certificate that can't be read.
    if (throwsUnsafe) newClient(this.url)
    const starting = this.db.start({ throwsUnsafe })
    // Connected before the probe has found a database of another store, they would report a loss that is none.
    if (!throwsUnsafe) await starting
    // Nothing waits for this start, so the process may have ended meanwhile.
    if (this.#resources.disposed) return
    await Promise.all([starting, ...this.#connected.map((part) => part.start())])
    if (!this.db.downReason) this.#options.events.noteConnected()
    void this.#reportNotReady()
  }

  async [Symbol.asyncDispose]() {
    this.readiness[Symbol.dispose]()
    await this.#resources.disposeAsync()
  }

  #opened<Part extends Measured & AsyncDisposable>(part: Part) {
    this.metrics.push(...part.metrics)
    return this.#resources.use(part)
  }

  /** The start does not wait for this check. */
  async #reportNotReady() {
    const reason = await this.readiness.firstResult()
    if (reason !== undefined) this.#options.events.reportNotReady(reason)
  }
}
