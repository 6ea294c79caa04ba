import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPart, readOpen } from '../../src/storage/orders/cancel.ts'
import { type Orders, openOrders } from '../../src/storage/orders/orders.ts'
import { placeStatement } from '../../src/storage/orders/place.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { createDatabase } from '../support/database.ts'
import { insertPets } from '../support/factories.ts'
import { contradictions } from '../support/orders.ts'

// How many orders a key chain may have open.
const { url, pool } = await createDatabase()
const newPets = (count: number) => insertPets(pool, Array<string>(count).fill('available'))
const open = async (chainId: string) => {
  const { rows } = await pool.query('select from orders where chain_id = $1 and closed_at is null', [chainId])
  return rows.length
}

const DEADLOCKS = 'select deadlocks from pg_stat_database where datname = current_database()'

let attempts = 0
const orderOf = (petId: bigint, chainId: string, mostOpen: number) => ({
  petId,
  expiresIn: 60,
  mostOpen,
  chainId,
  keyId: chainId,
})
const keyedOf = (petId: bigint, chainId: string, mostOpen: number) => ({
  apiKeyId: chainId,
  chainId,
  key: `order ${++attempts}`,
  fingerprints: ['00'] as [string],
  attempt: attempts,
  input: { petId, expiresIn: 60, mostOpen },
})

/** Orders that race for as many pets, without a key and with one, over these processes. */
async function race(processes: Orders[], chain: string, most: number) {
  return Promise.all(
    (await newPets(150)).map(async (petId, i) => {
      const orders = processes[i % processes.length]!
      // Neither rounds nor batches are equal: some wait until others have ended.
      if (i % 4 === 0) await orders.find({ petId, id: 1n })
      if (i % 3 === 0) return orders.place(orderOf(petId, chain, most))
      return orders.idempotent.insert(keyedOf(petId, chain, most))
    }),
  )
}

test('of many orders that race, with and without a key, exactly as many are placed as may be open', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  for (const [round, most] of [1, 7, 50, 120].entries()) {
    const chain = `key_race${round}`
    const results = await race([orders], chain, most)
    assert.equal(results.filter((result) => 'id' in result).length, most)
    assert.equal(results.filter((result) => 'rejection' in result && result.rejection === 'full').length, 150 - most)
    assert.equal(await open(chain), most)
  }
  assert.deepEqual(await contradictions(pool), [])
})

test('of many orders that race over three processes as many are placed as may be open, and none once these are committed', async () => {
  await using resources = new AsyncDisposableStack()
  const processes = Array.from({ length: 3 }, () => openOrders(resources.use(new Database(url, () => {}))))
  for (const [round, most] of [1, 7, 50].entries()) {
    const chain = `key_processes${round}`
    await race(processes, chain, most)
    const placed = await open(chain)
    assert.ok(placed >= most, `${placed} of ${most}`)
    const later = await race(processes, chain, most)
    assert.ok(later.every((result) => 'rejection' in result && result.rejection === 'full'))
    assert.equal(await open(chain), placed)
  }
  assert.deepEqual(await contradictions(pool), [])
})

test('an order that ends makes room for one more, and the pet of a rejected order stays free for others', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const pets = await newPets(8)
  const place = (i: number, chain = 'key_room') => orders.place(orderOf(pets[i]!, chain, 3))
  const placed = [await place(0), await place(1), await place(2)]
  assert.deepEqual(await place(3), { rejection: 'full' })
  assert.ok('id' in (await place(3, 'key_other')))
  for (const [i, status] of (['completed', 'cancelled'] as const).entries()) {
    const { id } = placed[i] as { id: bigint }
    await orders.close({ petId: pets[i]!, id, status })
    assert.ok('id' in (await place(4 + i)))
    assert.deepEqual(await place(6), { rejection: 'full' })
  }
  assert.equal(await open('key_room'), 3)
})

test('what is wrong with the pet is said first, and a limit that was lowered or raised applies at once', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const pets = await newPets(9)
  const place = (petId: bigint, most: number) => orders.place(orderOf(petId, 'key_limit', most))
  for (const petId of pets.slice(0, 5)) assert.ok('id' in (await place(petId, 5)))
  assert.deepEqual(await place(pets[0]!, 5), { rejection: 'held' })
  assert.deepEqual(await place(999_999_999n, 5), { rejection: 'missing' })
  assert.deepEqual(await place(pets[5]!, 2), { rejection: 'full' })
  assert.deepEqual(await place(pets[5]!, 5), { rejection: 'full' })
  assert.ok('id' in (await place(pets[5]!, 6)))
  assert.deepEqual(await place(pets[6]!, 6), { rejection: 'full' })
})

test('an order does not wait for another transaction that places one with the same key', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const [first, second, third] = await newPets(3)
  const client = await pool.connect()
  await client.query('begin')
  await client.query(placeStatement([orderOf(first!, 'key_busy', 1)]))
  assert.ok('id' in (await orders.place(orderOf(second!, 'key_busy', 1))))
  await client.query('commit')
  client.release()
  assert.deepEqual(await orders.place(orderOf(third!, 'key_busy', 1)), { rejection: 'full' })
})

test('orders that are placed, completed and cancelled by requests while an operator cancels them all never wait for each other', async () => {
  await using resources = new AsyncDisposableStack()
  const [db, other] = [resources.use(new Database(url, () => {})), resources.use(new Database(url, () => {}))]
  const [orders, others] = [openOrders(db), openOrders(other)]
  const pets = await newPets(120)
  const selling = new AbortController()
  const sellers = [orders, others].map(async (by, i) => {
    // In another order than the ids, and than the other seller.
    const mixed = pets.toSorted(
      (a, b) => Number((a * (i === 0 ? 7n : 11n)) % 121n) - Number((b * (i === 0 ? 7n : 11n)) % 121n),
    )
    while (!selling.signal.aborted)
      await Promise.all(
        mixed.map(async (petId, n) => {
          const placed = await by.place(orderOf(petId, 'key_mass', 1_000))
          if ('id' in placed && n % 3 === 0) await by.close({ petId, id: placed.id, status: 'cancelled' })
        }),
      )
  })
  const { rows: before } = await pool.query<{ deadlocks: string }>(DEADLOCKS)
  let cancelled = 0
  for (let i = 0; i < 60; i++) {
    const { upTo } = await readOpen(db, 'key_mass')
    cancelled += (await cancelPart(db, 'key_mass', upTo, 0)).cancelled
  }
  selling.abort()
  await Promise.all(sellers)
  assert.ok(cancelled > 0)
  assert.deepEqual(await contradictions(pool), [])
  assert.deepEqual((await pool.query(DEADLOCKS)).rows, before)
})

test('open orders of a chain are cancelled in parts, up to the last that was open, and their pets are available again', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const pets = await newPets(12)
  for (const petId of pets.slice(0, 10)) await orders.place(orderOf(petId, 'key_cancel', 100))
  await orders.place(orderOf(pets[10]!, 'key_kept', 100))
  const { count, upTo } = await readOpen(db, 'key_cancel')
  assert.equal(count, 10)
  await orders.place(orderOf(pets[11]!, 'key_cancel', 100))
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select from pets where id = $1 for update', [pets[3]])
  assert.deepEqual(await cancelPart(db, 'key_cancel', upTo, 0), { cancelled: 9, skipped: 1, isLast: true })
  await client.query('rollback')
  client.release()
  assert.deepEqual(await cancelPart(db, 'key_cancel', upTo, 0), { cancelled: 1, skipped: 0, isLast: true })
  assert.deepEqual([await open('key_cancel'), await open('key_kept')], [1, 1])
  assert.deepEqual(await contradictions(pool), [])
  const { rows } = await pool.query<{ status: string; closed_by: string | null; events: string }>(
    `select distinct orders.status, closed_by, (select count(*) from events where type = 'order.cancelled' and pet_id = any ($1)) as events
     from orders where pet_id = any ($1)`,
    [pets.slice(0, 10)],
  )
  assert.deepEqual(rows, [{ status: 'cancelled', closed_by: null, events: '10' }])
})
