import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPart, readOpen } from '../../src/storage/orders/cancel.ts'
import { openOrders } from '../../src/storage/orders/orders.ts'
import { placeStatement } from '../../src/storage/orders/place.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { createDatabase } from '../support/database.ts'
import { insertPets } from '../support/factories.ts'
import { contradictions } from '../support/orders.ts'
import { until } from '../support/until.ts'

// How many orders a key chain may have open.
const { url, pool } = await createDatabase()
const newPets = (count: number) => insertPets(pool, Array<string>(count).fill('available'))
const open = async (chainId: string) => {
  const { rows } = await pool.query('select from orders where chain_id = $1 and closed_at is null', [chainId])
  return rows.length
}

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

test('of many orders that race over three processes, with and without a key, exactly as many are placed as may be open', async () => {
  await using resources = new AsyncDisposableStack()
  const processes = Array.from({ length: 3 }, () => openOrders(resources.use(new Database(url, () => {}))))
  for (const [round, most] of [1, 7, 50, 120].entries()) {
    const chain = `key_race${round}`
    const results = await Promise.all(
      (await newPets(150)).map(async (petId, i) => {
        const orders = processes[i % 3]!
        // Neither rounds nor batches are equal: some wait until others have ended.
        if (i % 4 === 0) await orders.find({ petId, id: 1n })
        if (i % 2 === 0) return orders.place(orderOf(petId, chain, most))
        return orders.keyed.insert(keyedOf(petId, chain, most))
      }),
    )
    assert.equal(results.filter((result) => 'id' in result).length, most)
    assert.equal(results.filter((result) => 'refusal' in result && result.refusal === 'full').length, 150 - most)
    assert.equal(await open(chain), most)
  }
  assert.deepEqual(await contradictions(pool), [])
})

test('an order that ends makes room for one more, and the pet of a refused order stays free for others', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const pets = await newPets(8)
  const place = (i: number, chain = 'key_room') => orders.place(orderOf(pets[i]!, chain, 3))
  const placed = [await place(0), await place(1), await place(2)]
  assert.deepEqual(await place(3), { refusal: 'full' })
  assert.ok('id' in (await place(3, 'key_other')))
  for (const [i, status] of (['completed', 'cancelled'] as const).entries()) {
    const { id } = placed[i] as { id: bigint }
    await orders.close({ petId: pets[i]!, id, status })
    assert.ok('id' in (await place(4 + i)))
    assert.deepEqual(await place(6), { refusal: 'full' })
  }
  assert.equal(await open('key_room'), 3)
})

test('what is wrong with the pet is said first, and a limit that was lowered or raised applies at once', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const pets = await newPets(9)
  const place = (petId: bigint, most: number) => orders.place(orderOf(petId, 'key_limit', most))
  for (const petId of pets.slice(0, 5)) assert.ok('id' in (await place(petId, 5)))
  assert.deepEqual(await place(pets[0]!, 5), { refusal: 'held' })
  assert.deepEqual(await place(999_999_999n, 5), { refusal: 'missing' })
  assert.deepEqual(await place(pets[5]!, 2), { refusal: 'full' })
  assert.deepEqual(await place(pets[5]!, 5), { refusal: 'full' })
  assert.ok('id' in (await place(pets[5]!, 6)))
  assert.deepEqual(await place(pets[6]!, 6), { refusal: 'full' })
})

test('an order waits while another transaction places one with the same key, and holds up no other key', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const [first, second, third, other] = await newPets(4)
  assert.ok('id' in (await orders.place(orderOf(first!, 'key_busy', 2))))
  assert.ok('id' in (await orders.place(orderOf(await newPets(1).then(([id]) => id!), 'key_free', 2))))
  const client = await pool.connect()
  await client.query('begin')
  await client.query(placeStatement([orderOf(second!, 'key_busy', 2)]))
  let isDecided = false
  const waiting = orders.place(orderOf(third!, 'key_busy', 2)).finally(() => (isDecided = true))
  assert.ok('id' in (await orders.place(orderOf(other!, 'key_free', 2))))
  assert.equal(isDecided, false)
  await client.query('commit')
  client.release()
  assert.deepEqual(await waiting, { refusal: 'full' })
})

test('a count in a snapshot that others have overtaken is not used', async () => {
  const [first, second, third] = await newPets(3)
  const place = (petId: bigint) => placeStatement([orderOf(petId, 'key_late', 2)])
  await pool.query(place(first!)) // adds the chain
  await pool.query(place(first!))
  const [slow, gate] = [await pool.connect(), await pool.connect()]
  await gate.query('select pg_advisory_lock(4711)')
  const { text, values } = place(second!)
  const gated = text
    .replace('with input as', 'with gate as materialized (select pg_advisory_xact_lock(4711)), input as')
    .replace('from input where most_open', 'from input, gate where most_open')
  const late = slow.query<{ outcomes: string }>(gated, values)
  await until(async () => {
    const { rows } = await gate.query(`select from pg_stat_activity where wait_event = 'advisory'`)
    return rows.length > 0
  })
  await gate.query(place(third!))
  await gate.query('select pg_advisory_unlock(4711)')
  assert.equal((await late).rows[0]!.outcomes, 'busy')
  assert.equal(await open('key_late'), 2)
  slow.release()
  gate.release()
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
