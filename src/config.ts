import type { BlockList } from 'node:net'
import { parseNetworks } from './lib/client-address.ts'
import { CONSOLE_DIRECTORY } from './lib/console-build.ts'
import type { KeyMode } from './lib/ids/key-format.ts'
import { DEFAULT_STORE, type StoreAddress, URL_VARIABLES } from './lib/ids/store-address.ts'
import { formatRateLimit, parseRateLimit, type RateLimit } from './lib/rate-limit.ts'
import {
  parseBaseUrl,
  parseConnections,
  parseContact,
  parseDatabaseUrl,
  parseDrainDelay,
  parseKeyMode,
  parseMasterSecret,
  parseMaxInFlight,
  parseOrigins,
  parsePort,
  parseRedisUrl,
  parseRetention,
  parseShare,
  parseSwitch,
  parseUnsafeSettings,
  parseWorkers,
} from './lib/setting-values.ts'
import { isLoopback, parseTimeOfDay, passwordHint, suspectVariables, withoutSecrets } from './lib/settings.ts'
import { UNSAFE_SETTINGS, type UnsafeSetting } from './lib/unsafe-settings.ts'

export interface StoreConfig {
  address: StoreAddress
  databaseUrl: string
  /** Of each process, for its work. */
  connections: number
}

/** Every setting. Only this file reads the environment. */
export interface Config {
  /** The default store comes first. */
  stores: readonly [StoreConfig, ...StoreConfig[]]
  allowUnsafe: readonly UnsafeSetting[]
  host: string
  port: number
  adminHost: string
  adminPort: number
  workers: number
  maxInFlight: number
  drainDelayMs: number
  eventsRetentionMs: number
  /** Secrets of webhooks derive from it; without it there are none. */
  webhookMasterSecret: string | undefined
  webhookNetworks: BlockList | undefined
  /** Whether webhooks may be sent by http, and to this machine. No variable allows it: only `petstore dev` does. */
  allowsLocalReceivers: boolean
  redisUrl: string | undefined
  rateLimit: RateLimit | undefined
  authFailureLimit: RateLimit | undefined
  keyMode: KeyMode | 'any'
  trustedProxies: BlockList | undefined
  publicBaseUrl: string | undefined
  corsOrigins: string[]
  /** Where the console is built; undefined: it is turned off. */
  consoleDirectory: string | undefined
  /** When the store closes, as `HH:MM`. */
  closingTime: string
  securityContact: string | undefined
  /** Whether agents may call operations as tools, by `/v1/mcp`. */
  hasMcp: boolean
  logLevel: string
  /** The collector, and the share of requests that are traced; undefined: tracing is off. */
  traces: { endpoint: string; share: number } | undefined
  /** Settings that are valid, but probably a mistake. */
  warnings: readonly string[]
}

/** Says what each invalid variable must be; never its value, which may be a secret. */
export class ConfigError extends Error {
  override name = 'ConfigError'

  constructor(faults: string[]) {
    super(`Invalid configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
  }
}

/** Variables that other commands and the docs use. */
const OTHER_VARIABLES = [
  'PETSTORE_KEY',
  'PETSTORE_READ_KEY',
  'PETSTORE_PETS_KEY',
  'PETSTORE_REPOSITORY',
  'PETSTORE_NAME',
]

const DAY_MS = 86_400_000
const SANDBOX_CONNECTIONS = 4
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** `used` is the store that a command uses: one that uses only the sandbox does without the URL of the live store. */
export function readConfig(env: NodeJS.ProcessEnv, used: StoreAddress = DEFAULT_STORE): Config {
  const faults: string[] = []
  const known = [...OTHER_VARIABLES]
  /** Reads one variable; an empty one counts as not set. */
  const read = <T>(name: string, fallback: T, expected: string, parse: (text: string) => T | undefined): T => {
    known.push(name)
    const text = env[name]
    if (text === undefined || text === '') return fallback
    const value = parse(text)
    if (value === undefined) faults.push(`${name} must be ${expected}`)
    return value ?? fallback
  }

  const readDatabaseUrl = (name: string) =>
    read(
      name,
      undefined,
      `a URL like postgres://user:password@host:5432/petstore, with the name of the database${passwordHint(env[name])}`,
      parseDatabaseUrl,
    )

  const live: StoreConfig = {
    address: 'live',
    databaseUrl: readDatabaseUrl('DATABASE_URL') ?? '',
    connections: read('DATABASE_CONNECTIONS', 10, 'a number of connections from 3 to 100', parseConnections),
  }
  const sandboxUrl = readDatabaseUrl('SANDBOX_DATABASE_URL')
  const otlpEndpoint = read(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    undefined,
    'the URL of a collector like http://127.0.0.1:4318, without a password',
    parseBaseUrl,
  )
  const traceShare = read('OTEL_TRACES_SAMPLER_ARG', 0.01, 'a share from 0 to 1, like 0.01', parseShare)

  const config: Omit<Config, 'warnings'> = {
    stores: sandboxUrl === undefined ? [live] : [live, sandboxOf(sandboxUrl)],
    allowUnsafe: read('ALLOW_UNSAFE_DATABASE', [], `names from ${UNSAFE_SETTINGS.join(', ')}`, parseUnsafeSettings),
    host: read('HOST', '127.0.0.1', 'an address to listen on, like 0.0.0.0', (text) => text),
    port: read('PORT', 8080, 'a port from 0 to 65535, where 0 takes any free one', parsePort),
    adminHost: read('ADMIN_HOST', '127.0.0.1', 'an address to listen on, like 0.0.0.0', (text) => text),
    adminPort: read('ADMIN_PORT', 9090, 'a port from 0 to 65535, where 0 turns metrics off', parsePort),
    workers: read('WORKERS', 1, 'a number of processes from 1 to 64', parseWorkers),
    maxInFlight: read('MAX_IN_FLIGHT', 1_000, 'a number of requests from 1 to 100000', parseMaxInFlight),
    drainDelayMs: read('DRAIN_DELAY', 2_000, 'a number of seconds from 0 to 300', parseDrainDelay),
    eventsRetentionMs: read('EVENTS_RETENTION', 30 * DAY_MS, 'a duration like 30d or 12h, up to 3650d', parseRetention),
    webhookMasterSecret: read('WEBHOOK_MASTER_SECRET', undefined, 'at least 32 random characters', parseMasterSecret),
    webhookNetworks: read(
      'WEBHOOK_NETWORKS',
      undefined,
      'IP addresses or networks like 10.1.0.0/16, separated by commas',
      parseNetworks,
    ),
    allowsLocalReceivers: false,
    redisUrl: read('REDIS_URL', undefined, 'a URL like redis://user:password@host:6379/0', parseRedisUrl),
    rateLimit: read('RATE_LIMIT', undefined, 'a number of requests like 100/s, 6000/m or 50000/h', parseRateLimit),
    authFailureLimit: read(
      'AUTH_FAILURE_LIMIT',
      undefined,
      'a number of requests like 20/m, 5/s or 100/h',
      parseRateLimit,
    ),
    keyMode: read('KEY_MODE', 'any', 'any, live or test', parseKeyMode),
    trustedProxies: read(
      'TRUST_PROXY',
      undefined,
      'IP addresses or networks like 10.0.0.254 or 10.1.0.0/16, separated by commas',
      parseNetworks,
    ),
    publicBaseUrl: read('PUBLIC_BASE_URL', undefined, 'a URL like https://pets.example/v1', parseBaseUrl),
    securityContact: read(
      'SECURITY_CONTACT',
      undefined,
      'a URL like mailto:security@pets.example or https://pets.example/security',
      parseContact,
    ),
    corsOrigins: read('CORS_ORIGINS', [], 'origins like https://shop.example, separated by commas', parseOrigins),
    consoleDirectory: read('CONSOLE', 'on', 'on or off', parseSwitch) === 'on' ? CONSOLE_DIRECTORY : undefined,
    closingTime: read('CLOSING_TIME', '18:00', 'a time of day from 00:00 to 23:59, like 18:00', parseTimeOfDay),
    hasMcp: read('MCP', 'on', 'on or off', parseSwitch) === 'on',
    logLevel: read('LOG_LEVEL', 'info', `one of ${LOG_LEVELS.join(', ')}`, (text) =>
      LOG_LEVELS.includes(text) ? text : undefined,
    ),
    traces: otlpEndpoint === undefined ? undefined : { endpoint: otlpEndpoint, share: traceShare },
  }
  if (used === DEFAULT_STORE && !hasDatabaseUrl(env))
    faults.unshift('DATABASE_URL is required: a URL like postgres://user:password@host:5432/petstore')
  const suspects = suspectVariables(Object.keys(env), known)
  // A required setting may be present under a mistyped name.
  if (faults.length > 0) throw new ConfigError([...faults, ...suspects])
  return { ...config, warnings: [...suspects, ...unlimitedGuesses(config)] }
}

function sandboxOf(databaseUrl: string): StoreConfig {
  return { address: 'test', databaseUrl, connections: SANDBOX_CONNECTIONS }
}

function unlimitedGuesses({ host, authFailureLimit }: Pick<Config, 'host' | 'authFailureLimit'>) {
  if (authFailureLimit || isLoopback(host)) return []
  return ['AUTH_FAILURE_LIMIT is not set, so clients can guess keys without limit. Set it, for example to 20/m.']
}

/** The settings in effect, by variable, safe to log: without secrets. */
export function settingsOf(config: Config) {
  const { stores, redisUrl, rateLimit, authFailureLimit, trustedProxies, webhookNetworks, traces } = config
  const [live, sandbox] = stores
  return {
    DATABASE_URL: withoutSecrets(live.databaseUrl),
    DATABASE_CONNECTIONS: live.connections,
    SANDBOX_DATABASE_URL: sandbox && withoutSecrets(sandbox.databaseUrl),
    ALLOW_UNSAFE_DATABASE: listed(config.allowUnsafe),
    HOST: config.host,
    PORT: config.port,
    ADMIN_HOST: config.adminHost,
    ADMIN_PORT: config.adminPort,
    WORKERS: config.workers,
    MAX_IN_FLIGHT: config.maxInFlight,
    DRAIN_DELAY: config.drainDelayMs / 1_000,
    EVENTS_RETENTION: `${config.eventsRetentionMs / 1_000}s`,
    WEBHOOK_NETWORKS: webhookNetworks && networksOf(webhookNetworks),
    REDIS_URL: redisUrl && withoutSecrets(redisUrl),
    RATE_LIMIT: rateLimit && formatRateLimit(rateLimit),
    AUTH_FAILURE_LIMIT: authFailureLimit && formatRateLimit(authFailureLimit),
    KEY_MODE: config.keyMode,
    TRUST_PROXY: trustedProxies && networksOf(trustedProxies),
    PUBLIC_BASE_URL: config.publicBaseUrl,
    CORS_ORIGINS: listed(config.corsOrigins),
    SECURITY_CONTACT: config.securityContact,
    CONSOLE: config.consoleDirectory ? 'on' : 'off',
    CLOSING_TIME: config.closingTime,
    MCP: config.hasMcp ? 'on' : 'off',
    LOG_LEVEL: config.logLevel,
    OTEL_EXPORTER_OTLP_ENDPOINT: traces?.endpoint,
    OTEL_TRACES_SAMPLER_ARG: traces?.share,
  }
}

function networksOf({ rules }: BlockList) {
  return listed(rules.map((rule) => rule.replace(/^.* /, '')))
}

function listed(items: readonly string[]) {
  return items.length > 0 ? items.join(',') : undefined
}

/** Whether the variable with the URL of this store is set and not empty. */
export function hasDatabaseUrl(env: NodeJS.ProcessEnv, address: StoreAddress = DEFAULT_STORE) {
  return Boolean(env[URL_VARIABLES[address]])
}

/** Keys for `petstore verify`: as arguments they would be visible in the process list. */
export function readVerifyKeys(env: NodeJS.ProcessEnv) {
  return { key: env['PETSTORE_KEY'], readKey: env['PETSTORE_READ_KEY'], petsKey: env['PETSTORE_PETS_KEY'] }
}

/** The file in which deploy/postgres/backup leaves when the last backup was completed, for `petstore doctor`. */
export function readBackupMetrics(env: NodeJS.ProcessEnv) {
  return env['BACKUP_METRICS'] || undefined
}
