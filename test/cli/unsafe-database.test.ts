import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { EmbeddedPostgres } from '../../src/cli/dev/embedded-postgres.ts'
import { readConfig } from '../../src/config.ts'
import { migrate } from '../../src/storage/postgres/migrate.ts'
import { caller } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createDatabase } from '../support/database.ts'
import { petstore, petstoreProcess, serveHere } from '../support/process.ts'
import { DatabaseProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'

const UNSAFE = ['fsync', 'synchronous_commit', 'full_page_writes']

// A server of this file's own, which keeps nothing for sure.
const resources = new AsyncDisposableStack()
after(() => resources.disposeAsync())
const directory = await mkdtemp(join(tmpdir(), 'petstore-unsafe-'))
resources.defer(() => rm(directory, { recursive: true }))
const settings = UNSAFE.map((name) => `${name}=off`)
const { url } = resources.use(await EmbeddedPostgres.start(directory, settings))
await migrate(url)

test('a database that may lose what it has confirmed is rejected at the start, with every reason', async () => {
  const { code, stderr } = await petstore(['serve'], { DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0' })
  assert.equal(code, 1)
  for (const name of UNSAFE) assert.match(stderr, new RegExp(`^  ${name} is off[^:]*: .+\\.$`, 'm'))
  assert.match(stderr, /set ALLOW_UNSAFE_DATABASE=fsync,synchronous_commit,full_page_writes$/m)
})

test('settings that are allowed by name are accepted, and all others rejected', async () => {
  const env = { DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0', ALLOW_UNSAFE_DATABASE: 'fsync, full_page_writes' }
  const { code, stderr } = await petstore(['serve'], env)
  assert.equal(code, 1)
  assert.match(stderr, /^ {2}synchronous_commit is off/m)
  assert.doesNotMatch(stderr, /^ {2}fsync is off/m)
  await using service = await serveHere(url, { ALLOW_UNSAFE_DATABASE: UNSAFE.join(',') })
  const call = caller(service.address, '')
  await until(async () => (await call('/readyz')).status === 200)
})

test('a read-only database is rejected at the start, also by workers', async () => {
  const { url: standby, name, pool } = await createDatabase()
  await pool.query(`alter database ${name} set default_transaction_read_only = on`)
  const env = { DATABASE_URL: standby, PORT: '0', ADMIN_PORT: '0', WORKERS: '2' }
  const { code, stderr } = await petstoreProcess(['serve'], env)
  assert.equal(code, 1)
  assert.match(stderr, /it takes no writes.*DATABASE_URL must lead to the primary/)
  await using service = await serveHere(standby, { ALLOW_UNSAFE_DATABASE: 'read_only' })
  const call = caller(service.address, '')
  await until(async () => (await call('/readyz')).status === 200)
})

test('a database that was away at the start is looked at when it comes: not ready, and the log says why', async () => {
  await using proxy = await DatabaseProxy.start(url)
  await proxy.takeAway()
  await using service = await serveHere(proxy.url)
  const call = caller(service.address, '')
  await proxy.bringBack()
  let answer = await call('/readyz')
  while (!answer.text.includes('must not be written to')) answer = await call('/readyz')
  assertError(answer, 503, 'unavailable')
  assert.equal((await call('/livez')).status, 200)
  await service.heard(() => service.output.stdout.includes('fsync is off'))
})

test('ALLOW_UNSAFE_DATABASE takes the names, and nothing else', () => {
  const read = (text: string) => readConfig({ DATABASE_URL: url, ALLOW_UNSAFE_DATABASE: text }).allowUnsafe
  assert.deepEqual(read(''), [])
  assert.deepEqual(read('read_only, fsync'), ['fsync', 'read_only'])
  for (const text of ['all', 'fsync,', 'FSYNC', 'fsync;read_only'])
    assert.throws(() => read(text), /ALLOW_UNSAFE_DATABASE must be names from fsync/, text)
})
