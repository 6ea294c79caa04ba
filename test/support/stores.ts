import type pg from 'pg'
import type { Config } from '../../src/config.ts'
import type { Times } from '../../src/lib/times.ts'
import { caller, startApp } from './app.ts'
import { createDatabase } from './database.ts'
import { createTestKey } from './factories.ts'

/** The database of a sandbox, with a key. Its ids begin as those of the live store do, so that one taken for the other is found out. */
export async function createSandbox() {
  const database = await createDatabase()
  await database.pool.query(`update store set address = 'test'`)
  const { key } = await createTestKey(database.pool)
  return { ...database, key }
}

type Overrides = Partial<Config> & { databaseUrl?: string; sandboxUrl?: string }

/** A service with a live store and a sandbox, each with a key. The URLs may lead there by way of a proxy. */
export async function startStores(overrides: Overrides = {}, times: Partial<Times> = {}) {
  const sandbox = await createSandbox()
  const app = await startApp({ sandboxUrl: sandbox.url, ...overrides }, times)
  await app.pool.query('update store set test_keys_elsewhere = true')
  return { ...app, live: app, sandbox: { ...sandbox, call: caller(app.address, sandbox.key) } }
}

const WRITTEN = ['pets', 'orders', 'events', 'webhooks', 'categories', 'idempotency_keys', 'console_sessions']

/** How many rows the tables have that requests write. */
export async function countRows(pool: pg.Pool) {
  const counts = WRITTEN.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  const { rows } = await pool.query<Record<string, number>>(`select ${counts.join()}`)
  return rows[0]!
}
