import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { opened } from './cleanup.ts'
import { withDatabase } from './database-url.ts'

/** A database of the calling test file's own, with the schema and nothing in it; gone when the file has run. */
export async function createDatabase({ empty = false } = {}) {
  const server = process.env['TEST_SERVER_URL']
  const template = process.env['TEST_TEMPLATE']
  if (!server || !template) throw new Error('Run tests with `npm test`: its set-up starts PostgreSQL.')
  const name = `petstore_test_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client(server)
  await admin.connect()
  await admin.query(`create database ${name}${empty ? '' : ` template ${template}`}`)
  const url = withDatabase(server, name)
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => {})
  opened.defer(async () => {
    await pool.end()
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  return { url, name, pool }
}

/** Gives columns another type than statements expect: a fault that the service can't foresee. */
export async function breakPets(pool: pg.Pool) {
  await pool.query(`
    alter table pets
      drop constraint pets_name_check, drop constraint pets_id_check, alter column id drop default,
      alter column name type int using 0, alter column id type text`)
}
