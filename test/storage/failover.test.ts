import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REQUEST_TIMES, TIMES } from '../../src/lib/times.ts'
import { openPets } from '../../src/storage/pets/pets.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { DatabaseUnavailable, OutcomeUnknown } from '../../src/storage/postgres/failures.ts'
import { createDatabase } from '../support/database.ts'
import { DatabaseProxy } from '../support/proxy.ts'
import { SHORT } from '../support/times.ts'
import { until } from '../support/until.ts'

const FIRST = { sort: 'oldest', view: 'basic', after: 0n, limit: 1 } as const
const { url, name, pool } = await createDatabase()
const HELD_WRITE = `with held as materialized (select pg_advisory_xact_lock_shared(1)) insert into pets (name, category_id) select $1, 1 from held`

/** A database behind a proxy, and what it has reported of the primary. */
async function open(resources: AsyncDisposableStack, times = TIMES.database) {
  const proxy = resources.use(await DatabaseProxy.start(url))
  const reported: string[] = []
  const onRecovered = () => reported.push('found')
  const db = resources.use(new Database(proxy.url, () => reported.push('lost'), { onRecovered, times }))
  await db.query({ text: 'select 1' })
  return { proxy, db, reported }
}

/** Holds up the statements that ask for the lock, until it is disposed of. */
async function holdUp() {
  const holder = await pool.connect()
  await holder.query('select pg_advisory_lock(1)')
  return {
    async [Symbol.asyncDispose]() {
      await holder.query('select pg_advisory_unlock(1)')
      holder.release()
    },
  }
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
const elapsed = (since: number) => performance.now() - since

test('a read whose connection ends is sent again, and succeeds', async () => {
  await using resources = new AsyncDisposableStack()
  const { db, reported } = await open(resources)
  const lock = await holdUp()
  const read = db.query<{ n: number }>({ text: 'select 7 as n, pg_advisory_xact_lock_shared(1)' })
  await pool.query('select pg_terminate_backend($1)', [await untilRunning('select 7')])
  await lock[Symbol.asyncDispose]()
  assert.equal((await read)[0]?.n, 7)
  assert.deepEqual(reported, ['lost', 'found'])
  assert.equal(db.counts.retries.ambiguous, 1)
})

test('a write whose connection ends is not sent again: its outcome is unknown', async () => {
  await using resources = new AsyncDisposableStack()
  const { db, proxy } = await open(resources)
  const lock = await holdUp()
  const write = assert.rejects(db.writeOnce({ text: HELD_WRITE, values: ['cut off'] }), OutcomeUnknown)
  await untilRunning('with held')
  await proxy.takeAway()
  await proxy.bringBack()
  await write
  // PostgreSQL did not notice, and carries it out: once.
  await lock[Symbol.asyncDispose]()
  const stored = async () => (await pool.query(`select 1 from pets where name = 'cut off'`)).rowCount
  await until(async () => (await stored()) !== 0)
  assert.equal(await stored(), 1)
  assert.deepEqual(db.counts, { retries: NO_RETRIES, waiting: 0, waitsTotal: 0 })
})

test('a write that was never sent waits for the primary, and is sent once', async () => {
  await using resources = new AsyncDisposableStack()
  const { db, proxy } = await open(resources)
  const pets = openPets(db)
  await proxy.takeAway()
  const inserts = Array.from({ length: 300 }, (_, i) => pets.insert({ name: 'held', categoryId: BigInt(i) }))
  const read = pets.list(FIRST)
  await until(() => db.counts.waiting === 2) // a batch of them, and the read
  assert.ok(db.downReason)
  await proxy.bringBack()
  const back = performance.now()
  await Promise.all([...inserts, read])
  assert.ok(elapsed(back) < 1_000, 'found soon after it was back')
  const { rows } = await pool.query<{ count: string }>(`select count(*) from pets where name = 'held'`)
  assert.equal(rows[0]!.count, '300')
})

test('some seconds after the loss all who wait are refused, and who comes then is refused at once', async () => {
  await using resources = new AsyncDisposableStack()
  const { db, proxy, reported } = await open(resources, SHORT.database)
  const { holdMs } = SHORT.database
  const connections = () => proxy.accepted
  await proxy.takeAway()
  const lost = performance.now()
  await assert.rejects(db.query({ text: 'select 1' }), DatabaseUnavailable)
  assert.ok(elapsed(lost) > 0.9 * holdMs && elapsed(lost) < holdMs + 500, `${elapsed(lost)} ms`)
  const asked = performance.now()
  for (let i = 0; i < 100; i++) await assert.rejects(db.writeOnce({ text: 'select 1' }), DatabaseUnavailable)
  assert.ok(elapsed(asked) < 100)
  assert.deepEqual(reported, ['lost'])
  const before = connections()
  await proxy.bringBack()
  await until(() => !db.downReason)
  assert.equal(connections() - before, 1, 'one probe, whoever waits')
  await db.query({ text: 'select 1' })
})

test('a server that has become read-only is not the primary, until it takes writes again', async () => {
  await using resources = new AsyncDisposableStack()
  const { db, reported } = await open(resources)
  await pool.query(`alter database ${name} set default_transaction_read_only = on`)
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'petstore'`,
    [name],
  )
  await until(() => db.downReason !== undefined)
  const write = db.writeOnce({ text: `insert into pets (name, category_id) values ('after', 1)` })
  await until(() => db.downReason?.name === 'UnsafeDatabase')
  const admin = await pool.connect()
  await admin.query('set default_transaction_read_only = off')
  await admin.query(`alter database ${name} reset default_transaction_read_only`)
  admin.release()
  await write
  assert.deepEqual(reported.at(-1), 'found')
})

test('a silent primary is noticed once, and nobody waits for it longer than a request may take', async () => {
  await using resources = new AsyncDisposableStack()
  const { db, proxy } = await open(resources, SHORT.database)
  const pets = openPets(db)
  await pets.list(FIRST)
  proxy.fallSilent()
  const began = performance.now()
  const caught = [
    assert.rejects(pets.insert({ name: 'into silence', categoryId: 1n }), OutcomeUnknown),
    assert.rejects(pets.list(FIRST), DatabaseUnavailable),
  ]
  await Promise.all(caught)
  const { silenceMs, holdMs } = SHORT.database
  const most = Math.min(silenceMs + holdMs, REQUEST_TIMES.requestMs)
  assert.ok(elapsed(began) < most + 500, `${elapsed(began)} ms`)
})
