import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import pg from 'pg'
import type { RequiredPrivileges } from '../../src/storage/postgres/privileges.ts'
import type { Queryable, Statement } from '../../src/storage/postgres/statement.ts'
import { createDatabase } from './database.ts'

/** An empty database with the roles of deploy/postgres. Roles belong to the whole server: here they have names of their own. */
export async function createRoles() {
  const suffix = randomBytes(4).toString('hex')
  const password = randomBytes(12).toString('hex')
  const { url, pool } = await createDatabase({ empty: true })
  // When the database is gone, by what createDatabase has promised before this: else they own something, and can't be dropped.
  after(async () => {
    const server = await connected(process.env['TEST_SERVER_URL'] ?? '')
    await server.query(`drop role petstore_owner_${suffix}, petstore_service_${suffix}, petstore_deliver_${suffix}`)
    await server.end()
  })
  const scriptOf = (name: string) =>
    readFileSync(`deploy/postgres/${name}.sql`, 'utf8').replaceAll(
      /\bpetstore_(?:owner|service|deliver)\b/g,
      (role) => `${role}_${suffix}`,
    )
  await pool.query(scriptOf('roles'))
  await pool.query(scriptOf('roles')) // a second time does no harm
  const nameOf = (role: 'owner' | 'service' | 'deliver') => `petstore_${role}_${suffix}`
  for (const role of ['owner', 'service', 'deliver'] as const)
    await pool.query(`alter role ${nameOf(role)} password '${password}'`)
  /** The address of a database, of this one unless the test says otherwise, for a role. */
  const as = (role: string, of = url) => {
    const address = new URL(of)
    address.username = role
    address.password = password
    return address.href
  }
  return { pool, suffix, password, scriptOf, nameOf, as }
}

export async function connected(address: string) {
  const client = new pg.Client(address)
  client.on('error', () => {}) // the database is dropped under it
  await client.connect()
  return client
}

export function asked(client: pg.Client): Queryable {
  return {
    query: async <Row extends pg.QueryResultRow>(statement: Statement) => (await client.query<Row>(statement)).rows,
  }
}

/** Each of the privileges by itself. */
export function each(required: readonly RequiredPrivileges[]) {
  return required.flatMap(({ relation, privileges, select = [], update = [] }) => [
    ...privileges.map((privilege) => ({ relation, privilege, column: undefined })),
    ...select.map((column) => ({ relation, privilege: 'select', column })),
    ...update.map((column) => ({ relation, privilege: 'update', column })),
  ])
}

/** What a role has been granted, like `pets update name`. */
export async function granted(pool: pg.Pool, role: string) {
  const { rows } = await pool.query<{ held: string }>(
    `select relname || ' ' || lower(privilege_type) as held from pg_class, aclexplode(relacl)
     where grantee = $1::regrole
     union all
     select relname || ' ' || lower(privilege_type) || ' ' || attname
     from pg_attribute join pg_class on pg_class.oid = attrelid, aclexplode(attacl) where grantee = $1::regrole`,
    [role],
  )
  return rows.map(({ held }) => held).toSorted()
}

/** The privileges as `granted` writes them. */
export function namesOf(required: readonly RequiredPrivileges[]) {
  return each(required)
    .map(({ relation, privilege, column }) => [relation, privilege, ...(column ? [column] : [])].join(' '))
    .toSorted()
}
