import { parseArgs } from 'node:util'
import { readConfig, type StoreConfig } from '../config.ts'
import { connect } from '../service.ts'
import { migrate as applyMigrations, MigrationLocked, pendingMigrations } from '../storage/postgres/migrate.ts'
import { inStore } from './database-url.ts'
import { CommandError, explain } from './failure.ts'
import { type Io, print, printError } from './io.ts'

export const USAGE = `petstore migrate
    Updates the database schema to this version: of the sandbox first, if SANDBOX_DATABASE_URL is set, and then of the live
    store, which stays as it is if the sandbox fails. Safe to run from several machines at once.
petstore migrate --check
    Reports whether the schema is up to date, and changes nothing; exit code 1 if it is not.
`

const NAMES = { live: 'live', test: 'sandbox' }

export async function migrate(io: Io, args: string[]) {
  const { values } = parseArgs({ args, options: { check: { type: 'boolean', default: false } } })
  const [live, sandbox] = readConfig(io.env).stores
  const work = values.check ? check : migrateStore
  if (!sandbox) return work(live, (text) => print(io, text))

  const named = async (store: StoreConfig) => {
    const name = NAMES[store.address]
    try {
      return await work(store, (text) => print(io, `${name}: ${text}`))
    } catch (error) {
      printError(io, `petstore: ${name}: ${explain(error).message}`)
      return 1
    }
  }
  const failed = await named(sandbox)
  if (failed !== 0 && !values.check) {
    printError(
      io,
      `petstore: ${NAMES.live}: not migrated, since the sandbox failed. To migrate it alone, leave SANDBOX_DATABASE_URL out.`,
    )
    return failed
  }
  return Math.max(failed, await named(live))
}

type Say = (text: string) => void

export async function migrateStore({ address, databaseUrl }: StoreConfig, say: Say) {
  const options = {
    onApply: (name: string) => say(`applying ${name}`),
    onWait: (other: string) => say(`Another migration is running (${other}). Waiting for it, for up to 10 minutes.`),
    onBlocked: (name: string, holders: string) =>
      say(
        `${name} waits for a lock that another session holds (${holders}). Waiting for it. If it must not wait, end that session with pg_terminate_backend.`,
      ),
  }
  const applied = await inStore(address, () => applyMigrations(databaseUrl, options)).catch((error: unknown) => {
    if (!(error instanceof MigrationLocked)) throw error
    throw new CommandError(
      `Another migration has been running for 10 minutes (${error.message}). Nothing was changed. If it hangs, end that session with pg_terminate_backend, and run this command again.`,
    )
  })
  say(applied.length > 0 ? `The database is at this version now.` : 'The database is at this version already.')
  return 0
}

async function check({ address, databaseUrl }: StoreConfig, say: Say) {
  await using db = connect(databaseUrl)
  const pending = await inStore(address, () => pendingMigrations(db))
  if (pending.length === 0) {
    say('The database is at this version.')
    return 0
  }
  say(`The database lacks ${pending.map(({ name }) => name).join(', ')}. Run \`petstore migrate\`.`)
  return 1
}
