import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { readConfig } from '../../../src/config.ts'
import { startService } from '../../../src/service.ts'
import { caller, openLogs, postJson, startApp } from '../../support/app.ts'
import { assertError } from '../../support/assert-error.ts'
import { opened } from '../../support/cleanup.ts'
import { fromPage, SESSION, signIn } from '../../support/console.ts'
import { createDatabase } from '../../support/database.ts'
import { createTestKey } from '../../support/factories.ts'
import { DatabaseProxy } from '../../support/proxy.ts'
import { countRows, createSandbox, startStores } from '../../support/stores.ts'
import { TEST_TIMES } from '../../support/times.ts'
import { until } from '../../support/until.ts'

const times = { ...TEST_TIMES, database: { ...TEST_TIMES.database, holdMs: 300 } }
const PET = postJson({ name: 'Rex', categoryId: 1 })
const NONE = { PORT: '0', ADMIN_PORT: '0', DRAIN_DELAY: '0' }

async function startWith(env: NodeJS.ProcessEnv) {
  const { logs, logTo } = openLogs()
  const service = opened.use(await startService(readConfig({ ...NONE, ...env }), { logTo, times }))
  return { logs, call: caller(service.address, '') }
}

const REASON = /"store":"test".*The database at SANDBOX_DATABASE_URL can't be used: it is not a sandbox/

/** The live store works; the sandbox serves nothing, and the log has one line that says why. Nothing is written for a test key. */
async function assertUnsafe(
  { logs, call }: Awaited<ReturnType<typeof startWith>>,
  { pool }: { pool: pg.Pool },
  liveKey: string,
  testKey: string,
) {
  await until(async () => (await call('/readyz')).status === 200)
  assert.equal((await call('/v1/pets', { key: liveKey })).status, 200)
  for (let i = 0; i < 3; i++) {
    assertError(await call('/v1/pets', { key: testKey }), 503, 'unavailable')
    assertError(await call('/v1/pets', { ...PET, key: testKey }), 503, 'unavailable')
  }
  assert.deepEqual(new Set(Object.values(await countRows(pool))), new Set([0]))
  const lines = logs.filter((line) => line.includes('"store":"test"') && !line.includes('request completed'))
  assert.equal(lines.length, 1, lines.join(''))
  assert.match(lines[0]!, REASON)
}

test('a database that is no sandbox is not used as one, until it is', async () => {
  const live = await createDatabase()
  const other = await createDatabase()
  const { key: liveKey } = await createTestKey(live.pool, { mode: 'live' })
  const { key: testKey } = await createTestKey(other.pool)
  const service = await startWith({ DATABASE_URL: live.url, SANDBOX_DATABASE_URL: other.url })
  await assertUnsafe(service, live, liveKey, testKey)
  await other.pool.query(`update store set address = 'test'`)
  await until(async () => (await service.call('/v1/pets', { key: testKey })).status === 200)
})

test('the live database is no sandbox, whatever the host name in the URL', async () => {
  const live = await createDatabase()
  const { url } = live
  const { key: liveKey } = await createTestKey(live.pool, { mode: 'live' })
  const { key: testKey } = await createTestKey(live.pool)
  const elsewhere = new URL(url)
  elsewhere.hostname = elsewhere.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  const service = await startWith({ DATABASE_URL: url, SANDBOX_DATABASE_URL: elsewhere.href })
  await assertUnsafe(service, live, liveKey, testKey)
})

test('a request to a sandbox waits until it is known to be one', async () => {
  const live = await createDatabase()
  const { key } = await createTestKey(live.pool)
  await using proxy = await DatabaseProxy.start(live.url)
  proxy.connectDelayMs = 500
  const { call } = await startWith({ DATABASE_URL: live.url, SANDBOX_DATABASE_URL: proxy.url })
  await until(() => proxy.accepted)
  proxy.connectDelayMs = 0
  // A look-up in this database would not find it, and a client gives up after 401.
  assertError(await call('/v1/pets', { key }), 503, 'unavailable')
})

test('a process whose two URLs have been swapped does not start, and says so', async () => {
  const live = await createDatabase()
  const sandbox = await createSandbox()
  await assert.rejects(startWith({ DATABASE_URL: sandbox.url, SANDBOX_DATABASE_URL: live.url }), {
    name: 'UnsafeDatabase',
    message: "The database at DATABASE_URL can't be used: it is a sandbox. Have the two URLs been swapped?",
  })
})

test('nor does it use either database if the one with the live keys is found later', async () => {
  const live = await createDatabase()
  const sandbox = await createSandbox()
  const { key: liveKey } = await createTestKey(live.pool, { mode: 'live' })
  await using proxy = await DatabaseProxy.start(sandbox.url)
  await proxy.takeAway()
  const { logs, call } = await startWith({ DATABASE_URL: proxy.url, SANDBOX_DATABASE_URL: live.url })
  await proxy.bringBack()
  await until(() => logs.some((line) => line.includes('The database at DATABASE_URL can')))
  for (const key of [liveKey, sandbox.key]) {
    assertError(await call('/v1/pets', { key }), 503, 'unavailable')
    assertError(await call('/v1/pets', { ...PET, key }), 503, 'unavailable')
  }
  assertError(await call('/readyz'), 503, 'unavailable')
  for (const { pool } of [live, sandbox]) assert.deepEqual(new Set(Object.values(await countRows(pool))), new Set([0]))
  const lines = logs.filter((line) => !line.includes('request completed'))
  assert.equal(lines.filter((line) => line.includes('it is a sandbox. Have the two URLs been swapped?')).length, 1)
  assert.equal(lines.filter((line) => REASON.test(line)).length, 1)
})

test('nor does one with a sandbox as its only database', async () => {
  const sandbox = await createSandbox()
  await assert.rejects(startWith({ DATABASE_URL: sandbox.url }), { name: 'UnsafeDatabase' })
})

for (const [what, change, undo, reason] of [
  [
    'that cannot be read',
    'alter table store rename to unread',
    'alter table unread rename to store',
    /at DATABASE_URL does not say whether it is the sandbox: run `petstore migrate`/,
  ],
  [
    'without a row',
    'delete from store',
    `insert into store (address) values ('live')`,
    /of the database at DATABASE_URL has no row/,
  ],
] as const)
  test(`beside a sandbox, a live store with a mark ${what} is not used until it has one`, async () => {
    const { url, pool } = await createDatabase()
    const { key } = await createTestKey(pool, { mode: 'live' })
    await pool.query(change)
    const sandbox = await createSandbox()
    const { logs, call } = await startWith({ DATABASE_URL: url, SANDBOX_DATABASE_URL: sandbox.url })
    assert.equal((await call('/v1/pets', { key: sandbox.key })).status, 200)
    assertError(await call('/readyz'), 503, 'unavailable')
    for (let i = 0; i < 3; i++) assertError(await call('/v1/pets', { key }), 503, 'unavailable')
    const lost = logs.filter((line) => line.includes('cannot connect to the database'))
    assert.equal(lost.length, 1)
    assert.match(lost[0]!, reason)
    await pool.query(undo)
    await until(async () => (await call('/v1/pets', { key })).status === 200)
  })

test('what to do about a sandbox names its variable', async () => {
  const live = await createDatabase()
  const { url } = await createSandbox()
  const { logs } = await startWith({ DATABASE_URL: live.url, SANDBOX_DATABASE_URL: `${url}_none` })
  await until(() => /"store":"test".*the database named in SANDBOX_DATABASE_URL does not exist/.test(logs.join('')))
})

test('a live store that still has the test keys of a sandbox is reported at the start, once', async () => {
  const live = await createDatabase()
  const sandbox = await createSandbox()
  const env = { DATABASE_URL: live.url, SANDBOX_DATABASE_URL: sandbox.url }
  const warningsOf = async () =>
    (await startWith(env)).logs.filter((line) => line.includes('the live database still has the test keys'))
  assert.equal((await warningsOf()).length, 1)
  await live.pool.query('update store set test_keys_elsewhere = true')
  assert.equal((await warningsOf()).length, 0)
})

test('what is unsafe in a sandbox is not to be allowed for the live database too', async () => {
  const live = await createDatabase()
  const sandbox = await createSandbox()
  await sandbox.pool.query(`alter database ${sandbox.name} set synchronous_commit = off`)
  const { logs } = await startWith({ DATABASE_URL: live.url, SANDBOX_DATABASE_URL: sandbox.url })
  const line = await until(() => logs.find((each) => each.includes('synchronous_commit is off')))
  assert.match(line, /"store":"test"/)
  assert.doesNotMatch(line, /ALLOW_UNSAFE_DATABASE/)
})

test('a database of another store is found out also after it was lost', async () => {
  const { sandbox, call } = await startStores({}, { database: times.database })
  assert.equal((await sandbox.call('/v1/pets')).status, 200)
  await sandbox.pool.query(`update store set address = 'live'`)
  await sandbox.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await until(async () => (await sandbox.call('/v1/pets')).status === 503)
  assert.equal((await call('/readyz')).status, 200)
})

test('keys are only of the store that the database says it is, even before anybody has looked', async () => {
  const { sandbox } = await startStores()
  assert.equal((await sandbox.call('/v1/pets')).status, 200)
  await sandbox.pool.query(`update store set address = 'live'`)
  const { key } = await createTestKey(sandbox.pool)
  assertError(await sandbox.call('/v1/pets', { key }), 401, 'invalid_credentials')
})

test('without its variable, a process rejects test keys that live in a sandbox, and writes nothing for them', async () => {
  const { call, pool, key } = await startApp()
  const { key: liveKey } = await createTestKey(pool, { mode: 'live' })
  const { cookie } = await signIn(call, key)
  assert.equal((await call('/v1/pets', fromPage(cookie))).status, 200)
  // Also where an interrupted move has left their rows.
  await pool.query('update store set test_keys_elsewhere = true')
  await pool.query(`select pg_notify('api_keys_changed', id) from api_keys`)
  await until(async () => (await call('/v1/pets')).status === 401)
  assertError(await call('/v1/pets', { method: 'POST', body: '{}' }), 401, 'invalid_credentials')
  await until(async () => (await call('/v1/pets', fromPage(cookie))).status === 401)
  assert.equal((await call('/v1/pets', { key: liveKey })).status, 200)
})

test('beside a sandbox, the session of a test key that the live store still has is unknown', async () => {
  const alone = await startApp()
  const { cookie } = await signIn(alone.call, alone.key)
  const { key: liveKey } = await createTestKey(alone.pool, { mode: 'live' })
  const { url } = await createSandbox()
  const { call } = await startApp({ databaseUrl: alone.url, sandboxUrl: url })
  for (const method of ['GET', 'POST']) {
    const answer = await call('/v1/pets', fromPage(cookie, { method }))
    assertError(answer, 401, 'invalid_credentials')
    assert.match(answer.text, /The console session is not valid/)
  }
  assert.deepEqual(((await call(SESSION, fromPage(cookie))).body as { key: unknown }).key, null)
  const ofLive = await signIn(call, liveKey)
  assert.equal((await call('/v1/pets', fromPage(ofLive.cookie))).status, 200)
  // It is not ended: the key works until it is moved.
  assert.equal((await alone.call('/v1/pets', fromPage(cookie))).status, 200)
})

test('such a process says so at its start, in one line', async () => {
  const { url, pool } = await createDatabase()
  const linesOf = async (env: NodeJS.ProcessEnv = {}) => {
    const { logs } = await startWith({ DATABASE_URL: url, ...env })
    return logs.filter((line) => line.includes('Test keys were moved to a sandbox, and are rejected here')).length
  }
  assert.equal(await linesOf(), 0)
  await pool.query('update store set test_keys_elsewhere = true')
  assert.equal(await linesOf(), 1)
  assert.equal(await linesOf({ KEY_MODE: 'live' }), 0)
  assert.equal(await linesOf({ SANDBOX_DATABASE_URL: (await createSandbox()).url }), 0)
})
