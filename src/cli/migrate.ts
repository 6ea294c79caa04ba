import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { connect } from '../service.ts'
import { migrate as applyMigrations, MigrationLocked, pendingMigrations } from '../storage/postgres/migrate.ts'
import { CommandError } from './failure.ts'

export const USAGE = `petstore migrate
    Updates the database schema to this version. Safe to run from several machines at once.
petstore migrate --check
    Reports whether the schema is up to date, and changes nothing; exit code 1 if it is not.
`

export async function migrate(args: string[]) {
  const { values } = parseArgs({ args, options: { check: { type: 'boolean', default: false } } })
  const { databaseUrl } = readConfig()
  if (values.check) return check(databaseUrl)

  const applied = await applyMigrations(databaseUrl, {
    onApply: (name) => console.log(`applying ${name}`),
    onWait: (other) => console.log(`Another migration is running (${other}). Waiting for it, for up to 10 minutes.`),
  }).catch((error: unknown) => {
    if (!(error instanceof MigrationLocked)) throw error
    throw new CommandError(
      `Another migration has been running for 10 minutes (${error.message}). Nothing was changed. If it hangs, end that session with pg_terminate_backend, and run this command again.`,
    )
  })
  console.log(applied.length > 0 ? `The database is at this version now.` : 'The database is at this version already.')
  return 0
}

async function check(databaseUrl: string) {
  await using db = connect(databaseUrl)
  const pending = await pendingMigrations(db)
  if (pending.length === 0) {
    console.log('The database is at this version.')
    return 0
  }
  console.log(`The database lacks ${pending.map(({ name }) => name).join(', ')}. Run \`petstore migrate\`.`)
  return 1
}
