import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPets } from '../../src/storage/pets/pets.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { DatabaseUnavailable, OutcomeUnknown } from '../../src/storage/postgres/failures.ts'
import { createDatabase } from '../support/database.ts'
import { DatabaseProxy } from '../support/proxy.ts'

const FIRST = { sort: 'oldest', view: 'basic', after: 0n, limit: 1 } as const
const { url, name, pool } = await createDatabase()
const SLOW_WRITE = `with slow as materialized (select pg_sleep(1)) insert into pets (name, category_id) select $1, 1 from slow`

/** A database behind a proxy, and what it has told of the primary. */
async function open(resources: AsyncDisposableStack) {
  const proxy = resources.use(await DatabaseProxy.start(url))
  const told: string[] = []
  const onFound = () => told.push('found')
  const db = resources.use(new Database(proxy.url, () => told.push('lost'), { onFound }))
  await db.query({ text: 'select 1' })
  return { proxy, db, told }
}

async function untilRunning(text: string) {
  for (;;) {
    const { rows } = await pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = $1 and state = 'active' and query like $2 and pid <> pg_backend_pid()`,
      [name, `%${text}%`],
    )
    if (rows[0]) return rows[0].pid
  }
}

const NO_RETRIES = { 'never executed': 0, 'wrong role': 0, 'rolled back': 0, ambiguous: 0 }
const seconds = (since: number) => (performance.now() - since) / 1_000

test('a read whose connection ends is sent again, and succeeds', async () => {
  await using resources = new AsyncDisposableStack()
  const { db, told } = await open(resources)
  const read = db.query<{ n: number }>({ text: 'select 7 as n, pg_sleep(1)' })
  await pool.query('select pg_terminate_backend($1)', [await untilRunning('select 7')])
  assert.equal((await read)[0]?.n, 7)
  assert.deepEqual(told, ['lost', 'found'])
  assert.equal(db.counts.retries.ambiguous, 1)
})

test('a write whose connection ends is not sent again: its outcome is unknown', async () => {
  await using resources = new AsyncDisposableStack()
  const { db, proxy } = await open(resources)
  const write = assert.rejects(db.writeOnce({ text: SLOW_WRITE, values: ['cut off'] }), OutcomeUnknown)
  await untilRunning('with slow')
  await proxy.takeAway()
  await proxy.bringBack()
  await write
  // PostgreSQL did not notice, and has carried it out: once.
  await sleep(1_200)
  const { rows } = await pool.query(`select 1 from pets where name = 'cut off'`)
  assert.equal(rows.length, 1)
  assert.deepEqual(db.counts, { retries: NO_RETRIES, held: 0, holds: 0 })
})

test('a write that was never sent waits for the primary, and is sent once', async () => {
  await using resources = new AsyncDisposableStack()
  const { db, proxy } = await open(resources)
  const pets = openPets(db)
  await proxy.takeAway()
  const inserts = Array.from({ length: 300 }, (_, i) => pets.insert({ name: 'held', categoryId: BigInt(i) }))
  const read = pets.list(FIRST)
  const lost = performance.now()
  await sleep(3_000)
  assert.ok(db.lostBecause)
  await proxy.bringBack()
  await Promise.all([...inserts, read])
  assert.ok(seconds(lost) < 4, 'found soon after it was back')
  const { rows } = await pool.query<{ count: string }>(`select count(*) from pets where name = 'held'`)
  assert.equal(rows[0]!.count, '300')
})

test('five seconds after the loss all who wait are refused, and who comes then is refused at once', async () => {
  await using resources = new AsyncDisposableStack()
  const { db, proxy, told } = await open(resources)
  const connections = () => proxy.accepted
  await proxy.takeAway()
  const lost = performance.now()
  await assert.rejects(db.query({ text: 'select 1' }), DatabaseUnavailable)
  assert.ok(seconds(lost) > 4.5 && seconds(lost) < 5.5, `${seconds(lost)} s`)
  const asked = performance.now()
  for (let i = 0; i < 100; i++) await assert.rejects(db.writeOnce({ text: 'select 1' }), DatabaseUnavailable)
  assert.ok(seconds(asked) < 0.1)
  assert.deepEqual(told, ['lost'])
  const before = connections()
  await proxy.bringBack()
  while (db.lostBecause) await sleep(10)
  assert.equal(connections() - before, 1, 'one probe, whoever waits')
  await db.query({ text: 'select 1' })
})

test('a server that has become read-only is not the primary, until it takes writes again', async () => {
  await using resources = new AsyncDisposableStack()
  const { db, told } = await open(resources)
  await pool.query(`alter database ${name} set default_transaction_read_only = on`)
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'petstore'`,
    [name],
  )
  while (!db.lostBecause) await sleep(10)
  const write = db.writeOnce({ text: `insert into pets (name, category_id) values ('after', 1)` })
  await sleep(500)
  assert.equal(db.lostBecause.name, 'UnsafeDatabase')
  const admin = await pool.connect()
  await admin.query('set default_transaction_read_only = off')
  await admin.query(`alter database ${name} reset default_transaction_read_only`)
  admin.release()
  await write
  assert.deepEqual(told.at(-1), 'found')
})

test('a silent primary is noticed once, and nobody waits for it longer than a request may take', async () => {
  await using resources = new AsyncDisposableStack()
  const { db, proxy } = await open(resources)
  const pets = openPets(db)
  await pets.list(FIRST)
  proxy.fallSilent()
  const began = performance.now()
  const caught = [
    assert.rejects(pets.insert({ name: 'into silence', categoryId: 1n }), OutcomeUnknown),
    assert.rejects(pets.list(FIRST), DatabaseUnavailable),
  ]
  await Promise.all(caught)
  assert.ok(seconds(began) < 10.5, `${seconds(began)} s`)
})
