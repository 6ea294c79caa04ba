import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { moveTestKeys, storeTestKeys } from '../../src/domain/sandbox.ts'
import { BulkConnection } from '../../src/storage/postgres/bulk.ts'
import { Cut } from '../support/cut.ts'
import { insertWebhook } from '../support/deliveries.ts'
import { createTestKey, insertPets, rotateTestKey } from '../support/factories.ts'
import { petstore } from '../support/process.ts'
import { createRoles } from '../support/roles.ts'
import { createStores, runCommand } from '../support/sandbox.ts'
import { until } from '../support/until.ts'

const { live, sandbox, env } = await createStores()
const roles = await createRoles()
const RECEIVER = 'https://shop.example/hooks'
const FIRST_ID = '9000000000000001'

/** All rows of these tables in a form that can be compared between databases. */
async function rowsOf(pool: pg.Pool, mode: string) {
  const { rows } = await pool.query<{ rows: unknown }>(
    `with ids as (select id from api_keys where mode = $1)
     select json_build_object(
       'keys', (select json_agg(k order by id) from api_keys as k where mode = $1),
       'changes', (select json_agg(to_jsonb(c) - 'id' order by changed_at, what, key_id) from key_changes as c where key_id in (select id from ids)),
       'calls', (select json_agg(d order by api_key_id, operation) from deprecated_calls as d where api_key_id in (select id from ids)),
       'webhooks', (select json_agg(json_build_array(id, name, url, types, state, reason, created_at, created_by, changed_by, has_succeeded,
          secret_number, old_secret_ends_at, attempts, creation) order by id) from webhooks where changed_by in (select id from ids))) as rows`,
    [mode],
  )
  return JSON.stringify(rows[0]!.rows)
}
const storeOf = async (pool: pg.Pool) => {
  const { rows } = await pool.query<{ store: string }>(
    `select concat_ws(' ', address, test_keys_elsewhere, pg_sequence_last_value('pets_id_seq')) as store from store`,
  )
  return rows[0]!.store
}
/** Sessions of the command that was cut off, in both databases. */
const OTHERS = `
  select from pg_stat_activity where datname in ('${live.name}', '${sandbox.name}') and application_name = 'petstore'`
const NONE = JSON.stringify({ keys: null, changes: null, calls: null, webhooks: null })

// It is unused, but was a live store once, whose test keys are in another sandbox.
await sandbox.pool.query('update store set test_keys_elsewhere = true')

// What a live store has that was in use with keys of both modes.
await createTestKey(live.pool, { name: 'till', mode: 'live' })
const first = await createTestKey(live.pool, { name: 'try "it"', rateLimit: { quota: 5, windowSeconds: 60 } })
const second = await rotateTestKey(live.pool, first)
const { key: _, ...other } = await createTestKey(live.pool, { expiresAt: new Date('2031-01-01T00:00:00.123Z') })
await runCommand({ DATABASE_URL: live.url }, 'keys', 'revoke', other.id)
await runCommand({ DATABASE_URL: live.url }, 'keys', 'limit', second.id, '--open-orders', '7')
await live.pool.query(`insert into deprecated_calls values ($1, 'getPet', 3, now(), now())`, [first.id])
await insertWebhook(live.pool, RECEIVER, {
  changed_by: second.id,
  created_by: first.id,
  failing_since: new Date(),
  failures: 3,
})
const kept = await insertWebhook(live.pool, RECEIVER)
const [pet] = await insertPets(live.pool, ['pending'])
await live.pool.query(
  `insert into orders (pet_id, id, version, expires_at, placed_by, chain_id) values ($1, 1, 2, now() + interval '1 day', $2, $3)`,
  [pet, second.id, first.id],
)
const TABLES = ['api_keys', 'key_changes', 'deprecated_calls', 'webhooks']
for (const table of TABLES) await live.pool.query(`create table saved_${table} as table ${table}`)
const before = { test: await rowsOf(live.pool, 'test'), live: await rowsOf(live.pool, 'live') }

/** As if `sandbox create` had never been run. */
async function undo() {
  const emptied = TABLES.map((table) => `delete from ${table};`).join('')
  const restored = TABLES.map((table) => `insert into ${table} table saved_${table};`).join('')
  await Promise.all([
    sandbox.pool.query(`${emptied} update store set address = 'live'; alter sequence pets_id_seq restart`),
    live.pool.query(`${emptied} ${restored} update store set test_keys_elsewhere = false`),
  ])
}

async function assertMoved() {
  assert.equal(await rowsOf(sandbox.pool, 'test'), before.test)
  assert.equal(await rowsOf(live.pool, 'test'), NONE)
  assert.equal(await rowsOf(live.pool, 'live'), before.live)
  assert.equal(await rowsOf(sandbox.pool, 'live'), NONE)
  assert.deepEqual([await storeOf(live.pool), await storeOf(sandbox.pool)], ['live t 1', 'test f 9000000000000000'])
  const { rows } = await live.pool.query<{ id: string }>('select id from webhooks')
  assert.deepEqual(rows, [{ id: kept }])
}

test('the test keys are in the sandbox with their history and webhooks, which begin at the end of its feed; the live store has none', async () => {
  const { stdout } = await runCommand(env, 'sandbox', 'create')
  assert.match(stdout, /moved 3 keys and 1 webhook\.\nA process that was started without SANDBOX_DATABASE_URL/)
  assert.match(stdout, /1 open order placed by test keys/)
  assert.match(stdout, new RegExp(`^ID +CREATED BY +URL\nwh_\\w+ +${first.id} +${RECEIVER}$`, 'm'))
  await assertMoved()
  const { rows } = await sandbox.pool.query(
    `select webhooks.sequence = first and webhooks.mark = page.mark as at_end, failures, failing_since, leased_by
     from webhooks, (select * from feed_pages order by first desc limit 1) as page`,
  )
  assert.deepEqual(rows, [{ at_end: true, failures: 0, failing_since: null, leased_by: null }])
  const { rows: ids } = await sandbox.pool.query(`select nextval('pets_id_seq') as id`)
  assert.deepEqual(ids, [{ id: FIRST_ID }])
})

test('a second time it changes nothing', async () => {
  await sandbox.pool.query(`insert into pets (name, category_id) values ('Rex', 7)`)
  const next = await storeOf(sandbox.pool)
  const { stdout } = await runCommand(env, 'sandbox', 'create', '--json')
  assert.equal(stdout, '{"keys":0,"webhooks":[],"openOrders":0}\n')
  assert.equal(await rowsOf(sandbox.pool, 'test'), before.test)
  assert.equal(await storeOf(sandbox.pool), next)
  await sandbox.pool.query('truncate pets')
})

test('if the sandbox takes so long that the live store ends the transaction, it says so, and the next run completes', async () => {
  await undo()
  await sandbox.pool.query(`update store set address = 'test'`)
  await using from = await BulkConnection.open(live.url)
  await using to = await BulkConnection.open(sandbox.url)
  const moving = moveTestKeys(from, async (taken) => {
    await from.query({ text: `set local idle_in_transaction_session_timeout = '1ms'` })
    await until(async () => (await live.pool.query(OTHERS)).rowCount === 1)
    await storeTestKeys(to, taken)
  })
  await assert.rejects(moving, { message: 'The sandbox did not respond in time. Run the command again.' })
  assert.equal(await rowsOf(live.pool, 'test'), before.test)
  await runCommand(env, 'sandbox', 'create')
  assert.equal(await rowsOf(live.pool, 'test'), NONE)
  assert.equal(await rowsOf(sandbox.pool, 'test'), before.test)
})

for (const isAfter of [false, true])
  test(`killed ${isAfter ? 'after' : 'before'} each statement, every test key is in one of the two stores, and the next run completes`, async () => {
    for (let at = 1; ; at++) {
      await undo()
      const cut = new Cut(at, isAfter)
      const cutEnv = {
        DATABASE_URL: await cut.through(live.url),
        SANDBOX_DATABASE_URL: await cut.through(sandbox.url),
      }
      const { code, stderr } = await petstore(['sandbox', 'create'], cutEnv)
      if (!cut.isCut) {
        assert.ok(code === 0 && at > 20, `${at}: ${stderr}`)
        break
      }
      // The server has rolled back once it has noticed.
      await until(async () => (await live.pool.query(OTHERS)).rowCount === 0)
      const [inLive, inSandbox] = [await rowsOf(live.pool, 'test'), await rowsOf(sandbox.pool, 'test')]
      const isMoved = (await storeOf(live.pool)) === 'live t 1'
      assert.ok(inLive === (isMoved ? NONE : before.test), `${at}: ${inLive}`)
      assert.ok(inSandbox === before.test || (!isMoved && inSandbox === NONE), `${at}: ${inSandbox}`)
      await runCommand(env, 'sandbox', 'create')
      await assertMoved()
    }
  })

/** Gives the live store the rows that it had before the move, as when it is restored from then, or the move was interrupted. */
async function restoreLive() {
  const restored = TABLES.map((table) => `insert into ${table} select * from saved_${table} on conflict do nothing;`)
  await live.pool.query(`${restored.join('')} update store set test_keys_elsewhere = false`)
}
const keyRow = async (pool: pg.Pool, id: string) => {
  const { rows } = await pool.query<Record<string, unknown>>(
    `select revoked_at is not null as revoked, replaced_by is not null as replaced, open_orders from api_keys where id = $1`,
    [id],
  )
  return rows[0]
}

test('after the live store was restored from before it, the sandbox keeps what has changed there since', async () => {
  await undo()
  await runCommand(env, 'sandbox', 'create')
  await runCommand(env, 'keys', 'revoke', second.id)
  const later = await insertWebhook(sandbox.pool, RECEIVER, { changed_by: second.id })
  await sandbox.pool.query(`update webhooks set state = 'paused', sequence = 7 where id <> $1`, [later])
  await sandbox.pool.query('update deprecated_calls set calls = calls + 1')
  const newer = await rowsOf(sandbox.pool, 'test')
  await restoreLive()
  assert.equal(await rowsOf(live.pool, 'test'), before.test)

  await runCommand(env, 'sandbox', 'create')
  assert.equal(await rowsOf(sandbox.pool, 'test'), newer)
  assert.deepEqual(await keyRow(sandbox.pool, second.id), { revoked: true, replaced: false, open_orders: 7 })
  const { rows } = await sandbox.pool.query('select sequence from webhooks where id <> $1', [later])
  assert.deepEqual(rows, [{ sequence: '7' }])
  assert.equal(await rowsOf(live.pool, 'test'), NONE)
})

test('what was changed in the live store since an interrupted move is in the sandbox after the next, which never undoes a revocation', async () => {
  await undo()
  await runCommand(env, 'sandbox', 'create')
  await restoreLive()
  const alone = { DATABASE_URL: live.url }
  await runCommand(alone, 'keys', 'revoke', first.id)
  await runCommand(alone, 'keys', 'limit', second.id, '--open-orders', '9')
  const { id: created } = await createTestKey(live.pool)
  await sandbox.pool.query('update api_keys set revoked_at = now() where id = $1', [second.id])

  await runCommand(env, 'sandbox', 'create')
  assert.deepEqual(await keyRow(sandbox.pool, first.id), { revoked: true, replaced: true, open_orders: 9 })
  assert.deepEqual(await keyRow(sandbox.pool, second.id), { revoked: true, replaced: false, open_orders: 9 })
  assert.deepEqual(await keyRow(sandbox.pool, created), { revoked: false, replaced: false, open_orders: null })
  const { rows } = await sandbox.pool.query<{ what: string }>(
    `select what from key_changes where key_id = any($1) order by id desc limit 3`,
    [[first.id, second.id]],
  )
  assert.deepEqual(rows.map(({ what }) => what).toSorted(), ['limit', 'limit', 'revoked'])
})

for (const [what, db, mode] of [
  ['the keys of a live database that another transaction changes', live, 'row exclusive'],
  ['the keys of a live database that cannot be read', live, 'access exclusive'],
  ['the keys of a sandbox that cannot be changed', sandbox, 'share'],
  ['the keys of a sandbox that cannot be read', sandbox, 'access exclusive'],
] as const)
  test(`it does not wait long for ${what}, since commands would wait for it`, async () => {
    await undo()
    const locking = await db.pool.connect()
    await locking.query(`begin; lock table api_keys in ${mode} mode`)
    const began = performance.now()
    const { code, stdout, stderr } = await petstore(['sandbox', 'create'], env)
    const waited = performance.now() - began
    await locking.query('rollback')
    locking.release()
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^petstore: Nothing was moved: .* locked\. Run the command again\.$/m)
    assert.ok(waited < 5_000, `${waited} ms`)
    assert.equal(await rowsOf(live.pool, 'test'), before.test)
    assert.equal(await rowsOf(sandbox.pool, 'test'), NONE)
    await runCommand(env, 'sandbox', 'create')
    await assertMoved()
  })

test('the owner of deploy/postgres makes and resets it, and the service has what it needs there', async () => {
  await undo()
  const owner = { ...env, SANDBOX_DATABASE_URL: roles.as(roles.nameOf('owner')) }
  await runCommand(owner, 'sandbox', 'create')
  assert.equal(await rowsOf(roles.pool, 'test'), before.test)
  await runCommand(owner, 'sandbox', 'reset')
  await roles.pool.query(`set role ${roles.nameOf('owner')}; ${roles.scriptOf('grants')}; reset role`)
  const findings = await petstore(['doctor'], { ...env, SANDBOX_DATABASE_URL: roles.as(roles.nameOf('service')) })
  assert.match(findings.stdout, /^ok +sandbox rights +the role has what `petstore serve` needs$/m)
})
