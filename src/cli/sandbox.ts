import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  makeSandbox,
  moveTestKeys,
  requireUnused,
  resetSandbox,
  storeTestKeys,
  withoutLockWaits,
} from '../domain/sandbox.ts'
import { withoutSecrets } from '../lib/settings.ts'
import { connectForBulk } from '../service.ts'
import { pendingMigrations } from '../storage/postgres/migrate.ts'
import { openLog } from '../telemetry/log.ts'
import { connectToStore, findStore, findStores, inStore, noSandbox } from './database-url.ts'
import { CommandError, suggestion, UsageError } from './failure.ts'
import { type Io, print, printError, printJson } from './io.ts'
import { operator } from './keys/key.ts'
import { migrateStore } from './migrate.ts'
import { many } from './progress.ts'
import { table } from './table.ts'

export const USAGE = `petstore sandbox create
    Makes the empty database at SANDBOX_DATABASE_URL the sandbox: migrates it, and moves all test keys there, with the
    webhooks that deliver for them. Before that, restart all processes with SANDBOX_DATABASE_URL: afterwards test keys
    work only where it is set, and read and write nothing of the live store. Their pets stay in the live store, and
    their open orders until they expire. People with a test key sign in to the console again.
    If the command was interrupted, run it again.
petstore sandbox reset
    Removes all pets, orders, events and names of categories of the sandbox. Its keys, webhooks and sessions stay, and ids
    continue. Processes keep running: cursors of events end with 410, and webhooks continue with the next event. It is one
    transaction, and cannot be undone. Standard error gets a line of JSON for your log: who has emptied which database.
    Needs only SANDBOX_DATABASE_URL.

Both take --json for output that scripts can read.
`

const commands: Record<string, (io: Io, json: boolean) => Promise<void>> = { create, reset }

export async function sandbox(io: Io, [name = '', ...args]: string[]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command)
    throw new UsageError(`Name a sandbox command: create or reset.${suggestion(name, Object.keys(commands))}`)
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  await command(io, values.json)
  return 0
}

async function create(io: Io, json: boolean) {
  const [liveStore, sandboxStore = noSandbox()] = await findStores(io)
  const { db: live } = await connectToStore(liveStore)
  await using _live = live
  if ((await pendingMigrations(live)).length > 0)
    throw new CommandError('The schema of the live database is outdated. Run `petstore migrate` first.')
  const { db: sandboxDb } = await inStore('test', () => connectForBulk(sandboxStore.databaseUrl))
  await using _sandbox = sandboxDb
  const moved = await withoutLockWaits([live, sandboxDb], async () => {
    await inStore('test', () => requireUnused(sandboxDb, live))
    await migrateStore(sandboxStore, (text) => printError(io, text))
    await inStore('test', () => makeSandbox(sandboxDb))
    return moveTestKeys(live, (taken) => inStore('test', () => storeTestKeys(sandboxDb, taken)))
  })
  if (json) return printJson(io, moved)
  const { keys, webhooks, openOrders } = moved
  print(
    io,
    `The sandbox is ready, and has the test keys of the live store: moved ${many(keys, 'key')} and ${many(webhooks.length, 'webhook')}.
A process that was started without SANDBOX_DATABASE_URL rejects test keys from now on: set it there, and restart.`,
  )
  if (webhooks.length > 0) {
    print(io, '\nWebhooks that a test key had created or changed last, and that get no more events of the live store:')
    print(
      io,
      table(
        ['ID', 'CREATED BY', 'URL'],
        webhooks.map(({ id, createdBy, url }) => [id, createdBy ?? '-', url]),
      ),
    )
  }
  if (openOrders > 0)
    print(io, `In the live store, ${many(openOrders, 'open order')} placed by test keys stay until they expire.`)
}

// A lock is not waited for longer than requests are to wait, but tried for often.
const TRIES = 100
const PAUSE_MS = 1_000

async function reset(io: Io, json: boolean) {
  const store = await findStore(io, 'test')
  const { db } = await connectToStore(store)
  await using _db = db
  for (let tries = 1; !(await inStore('test', () => resetSandbox(db))); tries++) {
    if (tries === TRIES)
      throw new CommandError(
        'Nothing was removed: other transactions have kept the sandbox locked, such as an import or export.',
      )
    await sleep(PAUSE_MS)
  }
  openLog('info', io.stderr).log.info(
    { who: operator(), database: withoutSecrets(store.databaseUrl) },
    'reset the sandbox',
  )
  if (json) return printJson(io, { reset: true })
  print(io, 'The sandbox is empty. Its keys, webhooks and sessions are as before, and ids continue.')
}
