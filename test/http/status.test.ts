import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Readiness } from '../../src/domain/readiness.ts'
import { EXAMPLES } from '../../src/http/status/schemas.ts'
import { readBuildInfo } from '../../src/lib/build-info.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { LOCKS } from '../../src/storage/postgres/locks.ts'
import { type Call, caller, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { opened } from '../support/cleanup.ts'
import { createDatabase } from '../support/database.ts'
import { createTestKey, rotateTestKey } from '../support/factories.ts'
import { until } from '../support/until.ts'
import { insertWebhook, RECEIVER } from '../support/webhooks.ts'

interface Status {
  version: string
  commit: string
  startedAt: string
  database: { state: string; detail?: string }
  feed: { lagMs: bigint }
  search?: { isComplete: boolean; foundPercent: bigint }
  webhooks?: Record<'active' | 'paused' | 'disabled' | 'undelivered' | 'behind', bigint>
  expiringKeys?: bigint
}

const DAY_MS = 86_400_000
const statusOf = async (call: Call) => {
  const { status, body } = await call('/v1/status')
  assert.equal(status, 200)
  return body as Status
}

test('a service that works says so, with its version and since when it runs', async () => {
  const { call } = await startApp()
  await until(async () => (await statusOf(call)).feed.lagMs < 1_000n)
  const found = await statusOf(call)
  assert.deepEqual(found, {
    ...readBuildInfo(),
    startedAt: new Date(performance.timeOrigin).toISOString(),
    database: { state: 'ok' },
    feed: found.feed,
    search: { isComplete: true, foundPercent: 100n },
    webhooks: { active: 0n, paused: 0n, disabled: 0n, undelivered: 0n, behind: 0n },
    expiringKeys: 0n,
  })
  assert.deepEqual(Object.keys(found), Object.keys(EXAMPLES.working))
})

test('webhooks are counted by state, with how far the last active one is behind', async () => {
  const { call, pool } = await startApp()
  const webhook = { url: RECEIVER, types: null, sequence: '0' }
  for (const [i, state] of ['active', 'active', 'paused', 'disabled', 'disabled', 'disabled'].entries())
    await insertWebhook(pool, {
      ...webhook,
      id: `wh_status0000000000000${i}`,
      state,
      createdAt: new Date(Date.now() - i * 60_000).toISOString(),
    })
  await pool.query(`update webhooks set sequence = 2 where id like '%1'`)
  for (let i = 0; i < 3; i++) await call('/v1/pets', postJson({ name: 'Rex', categoryId: 1 }))
  await until(async () => (await statusOf(call)).webhooks?.behind === 3n)
  assert.deepEqual((await statusOf(call)).webhooks, {
    active: 2n,
    paused: 1n,
    disabled: 3n,
    undelivered: 1n,
    behind: 3n,
  })
  await pool.query(`update webhooks set state = 'paused'`)
  assert.equal((await statusOf(call)).webhooks?.behind, 0n)
})

test('keys count that work, expire within 30 days and were not rotated', async () => {
  const { call, pool } = await startApp()
  const inDays = (days: number) => createTestKey(pool, { expiresAt: new Date(Date.now() + days * DAY_MS) })
  const [, revoked] = [
    await inDays(29),
    await inDays(10),
    await inDays(31),
    await inDays(-1),
    await createTestKey(pool),
  ]
  await pool.query('update api_keys set revoked_at = now() where id = $1', [revoked.id])
  assert.equal((await statusOf(call)).expiringKeys, 1n)
  await rotateTestKey(pool, await inDays(60)) // the old one expires in an hour
  assert.equal((await statusOf(call)).expiringKeys, 1n)
})

test('a database that takes no writes is read-only', async () => {
  const { url, pool } = await createDatabase()
  const { key } = await createTestKey(pool)
  await pool.query(`
    do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`)
  const { address } = await startApp({ databaseUrl: url, allowUnsafe: ['read_only'] })
  const { database } = await statusOf(caller(address, key))
  assert.deepEqual(database, { state: 'read_only', detail: 'The database takes no writes.' })
})

test('search is incomplete while the words of pets are being made', async () => {
  const { call, pool } = await startApp()
  for (let i = 0; i < 4; i++) await call('/v1/pets', postJson({ name: 'Rex', categoryId: 1 }))
  // The job that makes words waits for its lock.
  const client = await pool.connect()
  await client.query('select pg_advisory_lock($1)', [LOCKS.words])
  await client.query('insert into word_ranges (last_id, reached) values (1, 0)')
  await until(async () => (await statusOf(call)).search?.isComplete === false)
  assert.equal((await statusOf(call)).search?.foundPercent, 75n)
  await client.query('select pg_advisory_unlock($1)', [LOCKS.words])
  client.release()
  await until(async () => (await statusOf(call)).search?.isComplete)
})

test('a schema that is older than the program is outdated', async () => {
  const { url, pool } = await createDatabase()
  const { key } = await createTestKey(pool)
  await pool.query('delete from schema_migrations where name = (select max(name) from schema_migrations)')
  const { address } = await startApp({ databaseUrl: url })
  assert.deepEqual((await statusOf(caller(address, key))).database, {
    state: 'schema_outdated',
    detail: 'The database schema is older than this program. Run `petstore migrate`.',
  })
})

for (const change of ['alter table webhooks rename state to condition', 'drop table word_ranges'])
  test(`so is one that lacks what the status reads: ${change}`, async () => {
    const { url, pool } = await createDatabase()
    const { key } = await createTestKey(pool)
    await pool.query(change)
    await pool.query('delete from schema_migrations where name = (select max(name) from schema_migrations)')
    const { address } = await startApp({ databaseUrl: url })
    const { database } = await statusOf(caller(address, key))
    assert.equal(database.state, 'schema_outdated')
  })

test('without a database the key cannot be checked, so there is no status', async () => {
  const { address, key } = await startApp({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' })
  const response = await caller(address, key)('/v1/status')
  assertError(response, 503, 'unavailable')
  assert.doesNotMatch(response.text, /127\.0\.0\.1|nobody/)
})

test('a loss is reported at once, and commits that are not acknowledged have a state of their own', async () => {
  const { url } = await createDatabase()
  const db = opened.use(new Database(url, () => {}))
  const seen = {
    query: db.query.bind(db),
    downReason: undefined as Error | undefined,
    isStalled: false,
    isHolding: false,
  }
  const readiness = new Readiness(seen)
  assert.deepEqual(await readiness.databaseState(), { state: 'ok' })
  seen.isStalled = true
  assert.deepEqual(await readiness.databaseState(), { state: 'stalled' })
  Object.assign(seen, { downReason: new Error('connection refused by db.internal'), isHolding: true })
  assert.deepEqual(await readiness.databaseState(), { state: 'lost' })
})
