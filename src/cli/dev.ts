import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { type Config, readConfig } from '../config.ts'
import { createKey, type NewKey } from '../domain/key-changes.ts'
import { findKeyByText } from '../domain/keys.ts'
import { listPets } from '../domain/pets.ts'
import { SCOPES } from '../domain/principal.ts'
import type { NewPet } from '../domain/types/pet.ts'
import { CONSOLE_BUILD, CONSOLE_DIRECTORY, isConsoleBuilt } from '../lib/console-build.ts'
import { reasonOf } from '../lib/reason.ts'
import { connect, openPets, startDelivery, startService } from '../service.ts'
import { migrate } from '../storage/postgres/migrate.ts'
import { DEV_DIRECTORY } from './database-url.ts'
import { EmbeddedPostgres, freePort } from './dev/embedded-postgres.ts'
import { type Io, print, printError, stopRequested } from './io.ts'
import { operator, TEST_KEY_NOTE } from './keys/key.ts'
import { requireTwoPorts } from './ports.ts'

export const USAGE = `petstore dev
    Runs the service with its own PostgreSQL in .petstore/, sample pets and a key, and prints a curl command to try.
    It listens on 127.0.0.1 only, whatever HOST says: its webhooks may reach this machine, and its key is in a file.
    PORT and the other variables of docs/configuration.md apply.
`

const MASTER_SECRET_BYTES = 32
// Not for other machines: webhooks may send to this one.
const LOOPBACK = '127.0.0.1'

const SAMPLES: NewPet[] = [
  { name: 'Rex', categoryId: 1n, status: 'available' },
  { name: 'Whiskers', categoryId: 2n, status: 'available' },
  { name: 'Nemo', categoryId: 3n, status: 'pending' },
  { name: 'Полли', categoryId: 4n, status: 'sold' },
  { name: 'Shelly 🐢', categoryId: 9_223_372_036_854_775_807n },
]

/** Starts everything for a first try. Data stays in `.petstore/` for the next start. */
export async function dev(io: Io, args: string[]) {
  parseArgs({ args }) // takes none
  const stop = stopRequested(io)
  const started = performance.now()
  const step = (text: string) =>
    print(io, `${((performance.now() - started) / 1_000).toFixed(1).padStart(5)} s  ${text}`)

  const directory = join(io.cwd(), DEV_DIRECTORY)
  await using resources = new AsyncDisposableStack()
  step('starting PostgreSQL in .petstore/')
  const databaseUrl = resources.use(await EmbeddedPostgres.start(directory)).url
  await buildConsole(io, step)
  step('preparing the database')
  await migrate(databaseUrl)
  const key = await prepare(directory, databaseUrl)
  step('starting the service')
  const settings = await devConfig(io.env, databaseUrl)
  requireTwoPorts(settings)
  const masterSecret = settings.webhookMasterSecret ?? (await keptMasterSecret(directory))
  const config = { ...settings, webhookMasterSecret: masterSecret, allowsLocalReceivers: true }
  const { address } = resources.use(await startService(config, { logTo: io.logTo }))
  resources.use(await startDelivery({ ...config, adminPort: 0 }, masterSecret, { logTo: io.logTo }))

  print(
    io,
    `
Petstore is running at ${address}/v1. Documentation: ${address}/docs${consoleLine(config, address)}
Your key, a test key (also in ${DEV_DIRECTORY}/key): ${key}
${TEST_KEY_NOTE}

Try it:

  curl -H "Authorization: Bearer ${key}" "${address}/v1/pets?limit=3"

In this folder, petstore keys, import and export use the same database.
Ctrl-C stops the service and its PostgreSQL.`,
  )
  await stop
  print(io, '\nStopping.')
  return 0
}

/** Once, in a clone: an installed version brings it along. Without it there is everything but the console. */
async function buildConsole(io: Io, step: (text: string) => void) {
  if (isConsoleBuilt(CONSOLE_DIRECTORY) || !existsSync(CONSOLE_BUILD)) return
  step('building the console')
  await promisify(execFile)(process.execPath, [CONSOLE_BUILD]).catch((error: unknown) =>
    printError(io, `The console could not be built: ${reasonOf(error)}`),
  )
}

function consoleLine({ consoleDirectory }: Pick<Config, 'consoleDirectory'>, address: string) {
  const isServed = consoleDirectory !== undefined && isConsoleBuilt(consoleDirectory)
  return isServed ? `\nConsole: ${address}/console (sign in with the key below)` : ''
}

/** Links are absolute, as they are in production; so the port must be known before the service starts. */
async function devConfig(env: NodeJS.ProcessEnv, databaseUrl: string) {
  const settings = {
    LOG_LEVEL: 'warn',
    ADMIN_PORT: '0',
    DRAIN_DELAY: '0',
    ...env,
    DATABASE_URL: databaseUrl,
    KEY_MODE: 'any', // its own key is a test key
    HOST: LOOPBACK,
    ADMIN_HOST: LOOPBACK,
  }
  const { port: wanted } = readConfig(settings)
  const port = String(wanted === 0 ? await freePort() : wanted)
  return readConfig({ PUBLIC_BASE_URL: `http://${LOOPBACK}:${port}/v1`, ...settings, PORT: port })
}

/** Stays the same from one start to the next, as the secrets of webhooks must. */
async function keptMasterSecret(directory: string) {
  const file = join(directory, 'webhook-master-secret')
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept !== undefined) return kept
  const secret = randomBytes(MASTER_SECRET_BYTES).toString('base64url')
  await writeFile(file, secret, { mode: 0o600 })
  return secret
}

/** Sample pets when there are none, and a key with every scope, which stays the same from one start to the next. */
async function prepare(directory: string, databaseUrl: string) {
  await using db = connect(databaseUrl)
  const context = { db, pets: openPets(db) }
  const { pets } = await listPets(context, {}, { limit: 1 })
  if (pets.length === 0) for (const sample of SAMPLES) await context.pets.insert(sample)

  const file = join(directory, 'key')
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  const row = kept === undefined ? undefined : await findKeyByText(context, kept)
  // The key of an earlier version lacks the scopes that are new, and never gains them: another takes its place.
  if (kept !== undefined && SCOPES.every((scope) => row?.scopes.includes(scope))) return kept
  const newKey: NewKey = { name: 'dev', mode: 'test', scopes: [...SCOPES], expiresAt: null }
  const { key } = await createKey(context, operator(), newKey)
  await writeFile(file, key, { mode: 0o600 })
  return key
}
