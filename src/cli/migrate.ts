import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { connect } from '../service.ts'
import { migrate as applyMigrations, pendingMigrations } from '../storage/migrate.ts'

export async function migrate(args: string[]) {
  const { values } = parseArgs({ args, options: { check: { type: 'boolean', default: false } } })
  const { databaseUrl } = readConfig()
  if (values.check) return check(databaseUrl)

  const applied = await applyMigrations(databaseUrl, undefined, (name) => console.log(`applying ${name}`))
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
