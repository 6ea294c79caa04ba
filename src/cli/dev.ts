import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { type Config, readConfig } from '../config.ts'
import { CONSOLE_BUILD, CONSOLE_DIRECTORY, isConsoleBuilt } from '../lib/console-build.ts'
import { reasonOf } from '../lib/reason.ts'
import { startDelivery, startService } from '../service.ts'
import { DEV_DIRECTORY } from './database-url.ts'
import { EmbeddedPostgres, freePort } from './dev/embedded-postgres.ts'
import { storeVariables } from './dev/store-variables.ts'
import { KEY_FILES, prepareStores } from './dev/stores.ts'
import { type Io, print, printError, stopRequested } from './io.ts'
import { requireTwoPorts } from './ports.ts'

export const USAGE = `petstore dev
    Runs the service with its own PostgreSQL in .petstore/, with a sandbox that has sample pets and a live store that begins
    empty, each with a key, and prints a curl command to try. It listens on 127.0.0.1 only, whatever HOST says: its webhooks
    may reach this machine, and its keys are in files.
    PORT and the other variables of docs/configuration.md apply.
`

const MASTER_SECRET_BYTES = 32
// Not for other machines: webhooks may send to this one.
const LOOPBACK = '127.0.0.1'

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
  const { url } = resources.use(await EmbeddedPostgres.start(directory))
  await buildConsole(io, step)
  step('preparing the databases')
  const keys = await prepareStores(directory, url)
  if (keys.lostKeys > 0)
    printError(
      io,
      `This database is the sandbox now, and its pets are those of test keys. Live keys in it no longer work (${keys.lostKeys}): create others with petstore keys create.`,
    )
  step('starting the service')
  const settings = await devConfig(io.env, url)
  requireTwoPorts(settings)
  const masterSecret = settings.webhookMasterSecret ?? (await keptMasterSecret(directory))
  const config = { ...settings, webhookMasterSecret: masterSecret, allowsLocalReceivers: true }
  const { address } = resources.use(await startService(config, { logTo: io.logTo }))
  resources.use(await startDelivery({ ...config, adminPort: 0 }, masterSecret, { logTo: io.logTo }))

  print(
    io,
    `
Petstore is running at ${address}/v1. Documentation: ${address}/docs${consoleLine(config, address)}

Test key, for the sandbox, which has sample pets (also in ${DEV_DIRECTORY}/${KEY_FILES.test}):
  ${keys.test}
Live key, for the live store, which begins empty (also in ${DEV_DIRECTORY}/${KEY_FILES.live}):
  ${keys.live}
Neither store has anything of the other.

Try it:

  curl -H "Authorization: Bearer ${keys.test}" "${address}/v1/pets?limit=3"

In this folder, petstore import, export and most others use the sandbox; add --store live for the live store.
petstore keys uses both.
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
  return isServed ? `\nConsole: ${address}/console (sign in with a key below)` : ''
}

/** Links are absolute, as they are in production; so the port must be known before the service starts. */
async function devConfig(env: NodeJS.ProcessEnv, postgresUrl: string) {
  const settings = {
    LOG_LEVEL: 'warn',
    ADMIN_PORT: '0',
    DRAIN_DELAY: '0',
    ...env,
    ...storeVariables(postgresUrl),
    KEY_MODE: 'any', // it has a key of each
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
