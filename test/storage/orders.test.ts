import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOrders } from '../../src/storage/orders/orders.ts'
import { placeStatement } from '../../src/storage/orders/place.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { DatabaseBusy, DatabaseUnavailable, OutcomeUnknown } from '../../src/storage/postgres/failures.ts'
import { createDatabase } from '../support/database.ts'
import { insertPets } from '../support/factories.ts'
import { contradictions, petRow } from '../support/orders.ts'
import { DatabaseProxy } from '../support/proxy.ts'

const { url, pool } = await createDatabase()

async function newPet() {
  const [id] = await insertPets(pool, ['available'])
  return id!
}

function idOf(result: { id: bigint } | { rejection: string }) {
  assert.ok('id' in result)
  return result.id
}

let attempts = 0
const keyed = (petId: bigint, key: string) => ({
  apiKeyId: 'key_1',
  chainId: 'key_1',
  key,
  fingerprints: ['00'] as [string],
  attempt: ++attempts,
  input: { petId, expiresIn: 60 },
})

test('O1: of the orders for one pet in a batch the first is placed, and the others learn that it is held', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const pets = [await newPet(), await newPet()]
  const results = await Promise.all([0, 1, 0, 1, 0].map((i) => orders.place({ petId: pets[i]!, expiresIn: 60 })))
  for (const [i, result] of results.entries())
    assert.deepEqual(Object.keys(result), [i < 2 ? 'id' : 'rejection'], `the order ${i}`)
  for (const result of results.slice(2)) assert.deepEqual(result, { rejection: 'held' })
  const keys = await Promise.all(['a', 'b'].map(async (key) => orders.idempotent.insert(keyed(pets[0]!, key))))
  for (const result of keys) assert.deepEqual(result, { outcome: 'rejected', rejection: 'held' })
})

test('the ids of a batch differ, also for different pets in one millisecond', async () => {
  const pets = await insertPets(pool, Array<string>(200).fill('available'))
  const { rows } = await pool.query<{ ids: string }>(placeStatement(pets.map((petId) => ({ petId, expiresIn: 60 }))))
  const ids = rows[0]!.ids.split(',').map(BigInt)
  assert.equal(new Set(ids).size, 200)
  assert.deepEqual(
    ids.map((id) => id & 255n),
    ids.map((_, i) => BigInt(i + 1)),
  )
})

for (const how of ['place', 'keyed'] as const)
  test(`${how} waits while another transaction changes the pet, holds up no other order, and sees what was changed`, async () => {
    await using db = new Database(url, () => {})
    const orders = openOrders(db)
    const place = async (petId: bigint) => {
      if (how === 'place') return orders.place({ petId, expiresIn: 60 })
      const result = await orders.idempotent.insert(keyed(petId, `busy ${petId}`))
      return result.outcome === 'rejected' ? { rejection: result.rejection } : { id: 'id' in result ? result.id : 0n }
    }
    const [freed, sold] = [await newPet(), await newPet()]
    const other = await pool.connect()
    await other.query('begin')
    await other.query('update pets set name = $2 where id = $1', [freed, 'Rex'])
    await other.query(`update pets set status = 'sold' where id = $1`, [sold])
    let isPlaced = false
    const waiting = Promise.all([place(freed), place(sold)]).finally(() => (isPlaced = true))
    for (let i = 0; i < 5; i++) idOf(await place(await newPet()))
    assert.equal(isPlaced, false)
    await other.query('commit')
    other.release()
    const [placed, rejected] = await waiting
    assert.ok(idOf(placed) > 0n)
    assert.deepEqual(rejected, { rejection: 'sold' })
    assert.deepEqual((await petRow(pool, freed))?.version, 2)
  })

test('a request that still waits for the pet at its deadline is rejected as busy, and nothing was done', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const [petId, held] = [await newPet(), await newPet()]
  const id = idOf(await orders.place({ petId: held, expiresIn: 60 }))
  const other = await pool.connect()
  await other.query('begin')
  await other.query('select from pets where id = any($1) for update', [[petId, held]])
  const late = () => ({ begun: performance.now() - 9_000, socket: { destroyed: false } })
  await assert.rejects(orders.place({ petId, expiresIn: 60 }, late()), DatabaseBusy)
  await assert.rejects(orders.idempotent.insert(keyed(petId, 'late'), late()), DatabaseBusy)
  // Which is sent again when its outcome is unknown: the first attempt may be what keeps the pet locked.
  await assert.rejects(orders.close({ petId: held, id, status: 'completed' }, late()), DatabaseUnavailable)
  await other.query('rollback')
  other.release()
  assert.deepEqual(await petRow(pool, petId), { status: 'available', heldBy: null, version: 1 })
  assert.equal((await petRow(pool, held))?.heldBy, id)
})

test('O7: an order that another transaction is ending is reported as that transaction has ended it', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const petId = await newPet()
  const id = idOf(await orders.place({ petId, expiresIn: 60 }))
  const other = await pool.connect()
  await other.query('begin')
  await other.query(`update orders set status = 'cancelled', closed_at = now() where pet_id = $1`, [petId])
  await other.query(`update pets set status = 'available', held_by = null, version = version + 1 where id = $1`, [
    petId,
  ])
  const waiting = orders.close({ petId, id, status: 'completed' })
  idOf(await orders.place({ petId: await newPet(), expiresIn: 60 }))
  await other.query('commit')
  other.release()
  const result = await waiting
  assert.ok(result.outcome === 'closed' && !result.isNew && result.order.status === 'cancelled')
  assert.deepEqual(await petRow(pool, petId), { status: 'available', heldBy: null, version: 3 })
})

test('no change of a pet is lost to an order that is placed or ended at the same time, and no version is given twice', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const pets = await insertPets(pool, Array<string>(5).fill('available'))
  const changes = new Map(pets.map((petId) => [petId, 0]))
  const count = (petId: bigint, more: number) => changes.set(petId, changes.get(petId)! + more)
  const over = new AbortController()
  const renaming = Promise.all(
    pets.map(async (petId) => {
      while (!over.signal.aborted) {
        await pool.query(`update pets set name = 'pet ' || version, version = version + 1 where id = $1`, [petId])
        count(petId, 1)
      }
    }),
  )
  const ordering = Promise.all(
    pets.map(async (petId) => {
      for (let i = 0; i < 30; i++) {
        const id = idOf(await orders.place({ petId, expiresIn: 60 }))
        const result = await orders.close({ petId, id, status: 'cancelled' })
        assert.ok(result.outcome === 'closed' && result.isNew)
        count(petId, 2)
      }
    }),
  ).finally(() => over.abort())
  await Promise.all([ordering, renaming])
  for (const petId of pets) assert.equal((await petRow(pool, petId))?.version, 1 + changes.get(petId)!)
  assert.deepEqual(await contradictions(pool), [])
  const { rows } = await pool.query('select pet_id, version from orders group by 1, 2 having count(*) > 1')
  assert.deepEqual(rows, [])
})

/** Does the work while the table of orders is locked, and cuts its connection off meanwhile. Then the lock ends, and it is back. */
async function cutOff<T>(work: (orders: ReturnType<typeof openOrders>) => Promise<T>) {
  await using proxy = await DatabaseProxy.start(url)
  await using db = new Database(proxy.url, () => {})
  const orders = openOrders(db)
  await db.query({ text: 'select 1' })
  const blocker = await pool.connect()
  await blocker.query('begin; lock table orders in exclusive mode')
  const result = Promise.allSettled([work(orders)])
  const sessions = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  while ((await blocker.query(`${sessions} and wait_event_type = 'Lock'`)).rowCount === 0);
  await proxy.takeAway()
  await blocker.query('commit')
  while ((await blocker.query(`${sessions} and state = 'active'`)).rowCount !== 0);
  blocker.release()
  await proxy.bringBack()
  const [settled] = await result
  return { settled, metrics: orders.metrics }
}

test('an order without a key whose connection is lost is not placed twice, and its outcome is unknown', async () => {
  const petId = await newPet()
  const { settled, metrics } = await cutOff((orders) => orders.place({ petId, expiresIn: 60 }))
  assert.ok(settled.status === 'rejected' && settled.reason instanceof OutcomeUnknown)
  assert.equal(metrics.find(({ name }) => name === 'petstore_outcomes_unknown_total')?.read(), 1)
  assert.equal((await petRow(pool, petId))?.version, 2)
})

test('an order with a key whose connection is lost is found again, and is no replay', async () => {
  const petId = await newPet()
  const { settled } = await cutOff((orders) => orders.idempotent.insert(keyed(petId, 'cut off')))
  assert.ok(settled.status === 'fulfilled' && settled.value.outcome === 'created')
  assert.deepEqual(await petRow(pool, petId), { status: 'pending', heldBy: settled.value.id, version: 2 })
})

test('an order whose connection is lost while it is completed is completed once', async () => {
  const petId = await newPet()
  await using db = new Database(url, () => {})
  const id = idOf(await openOrders(db).place({ petId, expiresIn: 60 }))
  const { settled } = await cutOff((orders) => orders.close({ petId, id, status: 'completed' }))
  assert.ok(settled.status === 'fulfilled' && settled.value.outcome === 'closed')
  assert.equal(settled.value.order.status, 'completed')
  assert.deepEqual(await petRow(pool, petId), { status: 'sold', heldBy: null, version: 3 })
})

test('a request that is rejected, or only repeats one, does not lock the pet', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const petId = await newPet()
  const id = idOf(await orders.place({ petId, expiresIn: 60 }))
  const lockedBy = async () => (await pool.query<{ xmax: string }>('select xmax from pets where id = $1', [petId])).rows
  const before = await lockedBy()
  assert.deepEqual(await orders.place({ petId, expiresIn: 60 }), { rejection: 'held' })
  assert.deepEqual(await orders.idempotent.insert(keyed(petId, 'late')), { outcome: 'rejected', rejection: 'held' })
  assert.deepEqual(await lockedBy(), before)
  await orders.close({ petId, id, status: 'completed' })
  const sold = await lockedBy()
  for (const status of ['completed', 'cancelled'] as const) await orders.close({ petId, id, status })
  assert.deepEqual(await lockedBy(), sold)
})

test('a repeated close that cannot be confirmed fails alone, and not as if nothing had been begun', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const pets = [await newPet(), await newPet()]
  const closings = await Promise.all(
    pets.map(async (petId) => ({
      petId,
      id: idOf(await orders.place({ petId, expiresIn: 60 })),
      status: 'completed' as const,
    })),
  )
  await orders.close(closings[0]!)
  const write = db.write.bind(db)
  db.write = (statement, ...rest) =>
    statement.text.includes('pg_logical_emit_message')
      ? Promise.reject(new DatabaseBusy('every connection is busy'))
      : write(statement, ...rest)
  const [repeated, closed] = await Promise.allSettled(closings.map((closing) => orders.close(closing)))
  assert.ok(repeated?.status === 'rejected' && repeated.reason instanceof DatabaseUnavailable)
  assert.ok(closed?.status === 'fulfilled' && closed.value.outcome === 'closed' && closed.value.isNew)
})
