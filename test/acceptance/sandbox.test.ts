import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { EmbeddedPostgres } from '../../src/cli/dev/embedded-postgres.ts'
import { generateKey } from '../../src/lib/ids/key-format.ts'
import { migrate } from '../../src/storage/postgres/migrate.ts'
import { startApp } from '../support/app.ts'
import { petstore } from '../support/process.ts'
import { createSandbox } from '../support/stores.ts'
import { until } from '../support/until.ts'

// A balancer must avoid a process that has lost the live store.
const OF_LIVE = ['routes.public.readyz']

test('while the PostgreSQL of the live store is stopped, every clause but that of /readyz holds with a test key', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-live-'))
  after(() => rmSync(directory, { recursive: true }))
  const sandbox = await createSandbox()
  const server = await EmbeddedPostgres.start(directory)
  await migrate(server.url)
  const { address, call } = await startApp({ databaseUrl: server.url, sandboxUrl: sandbox.url })
  await server[Symbol.asyncDispose]()
  await until(async () => (await call('/v1/pets', { key: generateKey('live') })).status === 503)

  const args = ['verify', '--base-url', `${address}/v1`, '--json']
  const { stdout } = await petstore(args, { PETSTORE_KEY: sandbox.key })
  const { clauses } = JSON.parse(stdout) as { clauses: { id: string; passed: boolean; detail?: string }[] }
  const failed = clauses.filter(({ passed }) => !passed)
  assert.deepEqual(
    failed.map(({ id }) => id),
    OF_LIVE,
    JSON.stringify(failed, null, 2),
  )
  assert.ok(clauses.length > 100, String(clauses.length))
})
