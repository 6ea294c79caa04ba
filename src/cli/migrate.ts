import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { connect } from '../service.ts'
import { migrate as applyMigrations, MigrationLocked, pendingMigrations } from '../storage/postgres/migrate.ts'
import { CommandError } from './failure.ts'
import { type Io, print } from './io.ts'

export const USAGE = `petstore migrate
    Updates the database schema to this version. Safe to run from several machines at once.
petstore migrate --check
    Reports whether the schema is up to date, and changes nothing; exit code 1 if it is not.
`

export async function migrate(io: Io, args: string[]) {
  const { values } = parseArgs({ args, options: { check: { type: 'boolean', default: false } } })
  const [{ databaseUrl }] = readConfig(io.env).stores
  if (values.check) return check(io, databaseUrl)

  const applied = await applyMigrations(databaseUrl, {
    onApply: (name) => print(io, `applying ${name}`),
    onWait: (other) => print(io, `Another migration is running (${other}). Waiting for it, for up to 10 minutes.`),
    onBlocked: (name, holders) =>
      print(
        io,
        `${name} waits for a lock that another session holds (${holders}). Waiting for it. If it must not wait, end that session with pg_terminate_backend.`,
      ),
  }).catch((error: unknown) => {
    if (!(error instanceof MigrationLocked)) throw error
    throw new CommandError(
      `Another migration has been running for 10 minutes (${error.message}). Nothing was changed. If it hangs, end that session with pg_terminate_backend, and run this command again.`,
    )
  })
  print(io, applied.length > 0 ? `The database is at this version now.` : 'The database is at this version already.')
  return 0
}

async function check(io: Io, databaseUrl: string) {
  await using db = connect(databaseUrl)
  const pending = await pendingMigrations(db)
  if (pending.length === 0) {
    print(io, 'The database is at this version.')
    return 0
  }
  print(io, `The database lacks ${pending.map(({ name }) => name).join(', ')}. Run \`petstore migrate\`.`)
  return 1
}
