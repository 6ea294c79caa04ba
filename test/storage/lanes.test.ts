import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Database } from '../../src/storage/postgres/database.ts'
import { DatabaseBusy } from '../../src/storage/postgres/failures.ts'
import type { Writable } from '../../src/storage/postgres/statement.ts'
import { createDatabase } from '../support/database.ts'

const { url, name, pool } = await createDatabase()

const FLOOD = 30
const LOCKED = { text: 'select pg_advisory_xact_lock(1)' }

/** How many statements of a database wait for the lock that the test holds. */
async function waitingForLock() {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = $1 and wait_event = 'advisory'`,
    [name],
  )
  return rows[0]!.count
}

/** Floods one lane with statements that wait for a lock; when this resolves, those that found a connection wait. */
async function flood(lane: Pick<Writable, 'query'>['query'], most: number) {
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query(LOCKED)
  void Promise.allSettled(Array.from({ length: FLOOD }, () => lane(LOCKED)))
  while ((await waitingForLock()) < most);
  return {
    [Symbol.dispose]: () => holder.release(true), // ends its session, and so the lock
  }
}

const lanesOf = (db: Database): Record<string, { send: Writable['query']; most: number; kept: number }> => ({
  reads: { send: (statement) => db.query(statement), most: 7, kept: 3 },
  writes: { send: (statement) => db.write(statement), most: 6, kept: 2 },
  background: { send: (statement) => db.background.write(statement), most: 5, kept: 1 },
})

for (const flooded of ['reads', 'writes', 'background'])
  test(`a flood of ${flooded} that wait for a lock leaves all other work its connections`, async () => {
    await using db = new Database(url, () => assert.fail('nothing was lost'))
    const { [flooded]: lane, ...others } = lanesOf(db)
    using _ = await flood(lane!.send, lane!.most)
    for (const { send, kept } of Object.values(others))
      await Promise.all(Array.from({ length: 3 * kept }, () => send({ text: 'select 1' })))
    assert.equal(await waitingForLock(), lane!.most, 'the flood has all connections but those kept for the others')
    // Work of the same kind is rejected as overload: nothing suggests that the database is lost.
    await assert.rejects(lane!.send({ text: 'select 1' }), DatabaseBusy)
  })

test('a connection that is free goes to the statement that has waited longest', async () => {
  await using db = new Database(url, () => assert.fail('nothing was lost'), { connections: 3 })
  await db.query({ text: 'select 1' }) // connected: on a busy machine that alone could take as long as a statement may wait
  const order: number[] = []
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      await db.query({ text: 'select 1' })
      order.push(i)
    }),
  )
  assert.deepEqual(
    order,
    Array.from({ length: 20 }, (_, i) => i),
  )
})

test('a process takes no more connections than DATABASE_CONNECTIONS, however much it does', async () => {
  await using db = new Database(url, () => assert.fail('nothing was lost'), { connections: 4 })
  const send = [db.query.bind(db), db.write.bind(db), db.background.write]
  const all = Promise.all(Array.from({ length: 12 }, (_, i) => send[i % 3]!({ text: 'select pg_sleep(0.005)' })))
  await nextTurn()
  assert.equal(db.pool.waiting, 12 - 4)
  await all
  const { rows } = await pool.query(
    `select 1 from pg_stat_activity where datname = $1 and application_name = 'petstore'`,
    [name],
  )
  assert.equal(rows.length, 4)
})
