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
