import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { EmbeddedPostgres } from '../../src/cli/dev/embedded-postgres.ts'
import { readConfig } from '../../src/config.ts'
import { REQUEST_TIMES, TIMES } from '../../src/lib/times.ts'
import { startService } from '../../src/service.ts'
import { migrate } from '../../src/storage/postgres/migrate.ts'
import { caller, openLogs, postJson } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey } from '../support/factories.ts'
import { SHORT, TEST_TIMES } from '../support/times.ts'
import { throughout, until } from '../support/until.ts'

// A server of this file's own, since it is given settings that no other test could live with.
const resources = new AsyncDisposableStack()
after(() => resources.disposeAsync())
const directory = await mkdtemp(join(tmpdir(), 'petstore-standby-'))
resources.defer(() => rm(directory, { recursive: true }))
const { url } = resources.use(await EmbeddedPostgres.start(directory))
await migrate(url)
const pool = new pg.Pool({ connectionString: url, max: 2 })
pool.on('error', () => {})
resources.defer(() => pool.end())
const { key } = await createTestKey(pool)
// The server is silent soon, and what waits for it does so for long: the tests do something meanwhile.
const times = { ...TEST_TIMES, database: { ...SHORT.database, holdMs: TIMES.database.holdMs } }
const { logs, logTo } = openLogs()
const config = readConfig({ DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0', DRAIN_DELAY: '0' })
const { address } = resources.use(await startService(config, { logTo, times }))
const call = caller(address, key)
const create = (name: string) => call('/v1/pets', postJson({ name, categoryId: 1 }))
assert.equal((await create('first')).status, 201)
// It is noted after the response, and would wait for a standby too.
await until(async () => (await pool.query('select from api_keys where last_used_at is not null')).rowCount === 1)
// Also after a test that has failed: what waits for a standby would keep the others, and the end of this file, waiting.
afterEach(() => set('reset synchronous_standby_names'))

async function set(setting: string) {
  await pool.query(`alter system ${setting}`)
  await pool.query('select pg_reload_conf()')
  await sleep(300) // until every process of the server has heard of it, which none of them tells
}

// The feed has connections of its own, beside those that requests share: test/storage/feed-connection.test.ts counts them.
const STUCK = `select 1 from pg_stat_activity where wait_event = 'SyncRep' and query not like '%feed_pages%'`

/** The backend that has committed a create, and waits for a standby. */
async function waiting(): Promise<number | undefined> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where wait_event = 'SyncRep' and query like '%insert into pets%'`,
  )
  return rows[0]?.pid
}

/** A create that waits for a standby: the first ones may come before PostgreSQL has heard of the setting. */
async function createThatWaits(name: string) {
  for (;;) {
    const created = create(name)
    const outcome = { isThere: false }
    void created.then(() => (outcome.isThere = true))
    while (!outcome.isThere) {
      const pid = await waiting()
      if (pid !== undefined) return { created, pid }
    }
  }
}

test('a create whose wait for the standby is cancelled is not confirmed, though PostgreSQL reports success', async () => {
  await set(`set synchronous_standby_names = 'nobody'`)
  const { created, pid } = await createThatWaits('in doubt')
  await pool.query('select pg_cancel_backend($1)', [pid])
  const answer = await created
  assertError(answer, 503, 'unavailable')
  assert.match(answer.text, /the outcome is unknown.*Idempotency-Key/)
  assert.equal(answer.headers.get('retry-after'), '1')
})

test('a create that is not answered in time ends with its connection, and is never cancelled', async () => {
  await set(`set synchronous_standby_names = 'nobody'`)
  const began = performance.now()
  const { created, pid } = await createThatWaits('unanswered')
  assertError(await created, 503, 'unavailable')
  assert.ok(performance.now() - began < REQUEST_TIMES.requestMs + 500)
  assert.equal(await waiting(), pid, 'it waits as before: nobody has told it not to')

  // Each further one would leave a backend behind in the same way: they wait for one probe, and pets are read meanwhile.
  const held = [create('held up'), create('held up')]
  await until(async () => (await pool.query(STUCK)).rowCount === 2)
  // The create, and the probe: a third would come now.
  await throughout(500, async () => (await pool.query(STUCK)).rowCount === 2)
  for (const path of ['/v1/pets', '/readyz']) assert.equal((await call(path)).status, 200)
  await set(`reset synchronous_standby_names`)
  for (const answer of await Promise.all(held)) assert.equal(answer.status, 201)
  await until(() => logs.join('').includes('commits are acknowledged again'))
  assert.ok(logs.join('').includes('commits are not being acknowledged'))
})

test('while no commit is confirmed, pets are read by keys whose use is due to be noted, more of them than there are connections', async () => {
  const keys = await Promise.all(Array.from({ length: 15 }, () => createTestKey(pool)))
  await set(`set synchronous_standby_names = 'nobody'`)
  // Until the notes have been given up, and for some time after that.
  const end = performance.now() + 1.5 * times.database.silenceMs
  const statuses = new Set<number>()
  await until(async () => {
    const answers = await Promise.all(keys.map((each) => call('/v1/pets', { key: each.key })))
    for (const { status } of answers) statuses.add(status)
    return performance.now() >= end
  })
  const { rowCount } = await pool.query(STUCK)
  await set('reset synchronous_standby_names')
  assert.deepEqual([...statuses], [200])
  assert.ok(rowCount! > 0 && rowCount! <= 3, `${rowCount} sessions wait`)
})

test('a primary that turns read-only under open connections is lost, and held calls go on when it is back', async () => {
  assert.equal((await create('before')).status, 201)
  await set('set default_transaction_read_only = on')
  let held = create('held')
  // Until the session that it takes has heard of it.
  while (await Promise.race([held.then(() => true), sleep(500, false)])) held = create('held')
  const admin = await pool.connect()
  await admin.query('set default_transaction_read_only = off')
  await admin.query('alter system reset default_transaction_read_only')
  await admin.query('select pg_reload_conf()')
  admin.release()
  assert.equal((await held).status, 201)
})

test('a replay is confirmed only when the standby has what it confirms', async () => {
  const send = () => call('/v1/pets', postJson({ name: 'Rex', categoryId: 1 }, { 'idempotency-key': 'once' }))
  const first = await send()
  assert.equal(first.status, 201)
  await set(`set synchronous_standby_names = 'nobody'`)
  const again = send()
  const waits = `select 1 from pg_stat_activity where wait_event = 'SyncRep' and query = 'commit'`
  await until(async () => (await pool.query(waits)).rowCount !== 0)
  await set('reset synchronous_standby_names')
  const replay = await again
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  assert.equal(replay.text, first.text)
})

test('to complete an order again is confirmed only when the standby has what it confirms', async () => {
  const { body } = await call('/v1/pets', postJson({ name: 'Rex', categoryId: 1, status: 'available' }))
  const placed = await call('/v1/store/orders', postJson({ petId: (body as { id: bigint }).id }))
  const complete = () => call(`${placed.headers.get('location')}/complete`, { method: 'POST' })
  const first = await complete()
  assert.equal(first.status, 200)
  // Without its pet nothing is locked, which would be a change that waits for the standby by itself.
  await pool.query('delete from pets where id = $1', [(body as { id: bigint }).id])
  await set(`set synchronous_standby_names = 'nobody'`)
  const again = complete()
  const waits = `select 1 from pg_stat_activity where wait_event = 'SyncRep' and query like '%pg_logical_emit_message%'
                 and pid <> pg_backend_pid()`
  await until(async () => (await pool.query(waits)).rowCount !== 0)
  await set('reset synchronous_standby_names')
  assert.equal((await again).text, first.text)
})
