import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewPet } from '../../src/domain/types/pet.ts'
import type { Idempotent } from '../../src/storage/idempotency/stored-keys.ts'
import { openOrders } from '../../src/storage/orders/orders.ts'
import { openIdempotentPets } from '../../src/storage/pets/idempotent-pets.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { createDatabase } from '../support/database.ts'
import { insertPets } from '../support/factories.ts'

const { url, pool } = await createDatabase()

let attempts = 0
const [FIRST, SUCCESSOR, LAST] = ['key_first', 'key_successor', 'key_last']

function keyed<Input>(key: string, input: Input, overrides: Partial<Idempotent<Input>> = {}): Idempotent<Input> {
  return { apiKeyId: FIRST, chainId: FIRST, key, fingerprints: ['01'], attempt: ++attempts, input, ...overrides }
}

const rex: NewPet = { name: 'Rex', categoryId: 1n }

test('two operations may use the same key: each stores its own row, and replays it', async () => {
  await using db = new Database(url, () => {})
  const [pets, orders] = [openIdempotentPets(db), openOrders(db).idempotent]
  const [first, second] = await insertPets(pool, ['available', 'available'])
  const insertPet = () => pets.insert(keyed('shared', rex))
  const placeOrder = (petId: bigint, fingerprint: string) =>
    orders.insert(keyed('shared', { petId, expiresIn: 60 }, { fingerprints: [fingerprint] }))
  const [pet, order] = [await insertPet(), await placeOrder(first!, '02')]
  assert.ok(pet.outcome === 'created' && order.outcome === 'created')
  assert.deepEqual(await insertPet(), { outcome: 'replayed', id: pet.id, keyId: FIRST })
  assert.deepEqual(await placeOrder(first!, '02'), { outcome: 'replayed', id: order.id, keyId: FIRST })
  assert.equal((await placeOrder(second!, '03')).outcome, 'reused')
  const { rows } = await pool.query('select pet_id, id from orders')
  assert.deepEqual(rows, [{ pet_id: String(first), id: String(order.id) }])
})

test('the keys of a rotation chain share their idempotency keys, in either direction', async () => {
  await using db = new Database(url, () => {})
  const pets = openIdempotentPets(db)
  for (const [key, stores, retries] of [
    ['forwards', FIRST, SUCCESSOR],
    ['over two rotations', FIRST, LAST],
    ['between successors', SUCCESSOR, LAST],
    ['backwards', SUCCESSOR, FIRST],
  ] as const) {
    const first = await pets.insert(keyed(key, rex, { apiKeyId: stores }))
    assert.equal(first.outcome, 'created', key)
    const replayed = await pets.insert(keyed(key, rex, { apiKeyId: retries }))
    assert.deepEqual(replayed, { ...first, outcome: 'replayed', keyId: stores }, key)
    const other = keyed(key, rex, { apiKeyId: retries, fingerprints: ['02'] })
    assert.equal((await pets.insert(other)).outcome, 'reused', key)
    const elsewhere = keyed(key, rex, { apiKeyId: 'key_other', chainId: 'key_other' })
    assert.equal((await pets.insert(elsewhere)).outcome, 'created', key)
  }
})

test('racing keys of one chain in many batches add one pet for each idempotency key', async () => {
  await using db = new Database(url, () => {})
  const stores = [openIdempotentPets(db), openIdempotentPets(db), openIdempotentPets(db)]
  for (let round = 0; round < 20; round++) {
    const keys = Array.from({ length: 5 }, (_, i) => `race ${round} ${i}`)
    await Promise.all(
      stores.flatMap((pets, s) =>
        keys.map(async (key) => {
          const apiKeyId = [FIRST, SUCCESSOR, LAST][(s + round) % 3]!
          const item = keyed(key, { ...rex, name: key }, { apiKeyId })
          while ((await pets.insert(item)).outcome === 'in progress');
        }),
      ),
    )
  }
  const { rows } = await pool.query(`select count(*)::int as pets from pets where name like 'race %'`)
  assert.deepEqual(rows, [{ pets: 100 }])
})

test('a key that was stored with an earlier version of the fingerprint is compared by that version', async () => {
  await using db = new Database(url, () => {})
  const pets = openIdempotentPets(db)
  const first = await pets.insert(keyed('version 1', rex, { fingerprints: ['a1'] }))
  const replayed = { ...first, outcome: 'replayed', keyId: FIRST }
  assert.deepEqual(await pets.insert(keyed('version 1', rex, { fingerprints: ['b2', 'a1'] })), replayed)
  // Equal by the newer version only: that is not how it was stored.
  assert.equal((await pets.insert(keyed('version 1', rex, { fingerprints: ['a1', 'c1'] }))).outcome, 'reused')

  const second = await pets.insert(keyed('version 2', rex, { fingerprints: ['b2', 'a1'] }))
  assert.deepEqual(await pets.insert(keyed('version 2', rex, { fingerprints: ['b2', 'c1'] })), {
    ...second,
    outcome: 'replayed',
    keyId: FIRST,
  })
  assert.equal((await pets.insert(keyed('version 2', rex, { fingerprints: ['a1', 'b2'] }))).outcome, 'reused')
})

test('a key that a newer version has stored is neither replayed nor reused by one that can not compare it', async () => {
  await using db = new Database(url, () => {})
  const pets = openIdempotentPets(db)
  await pets.insert(keyed('newer', rex, { fingerprints: ['b2', 'a1'] }))
  assert.deepEqual(await pets.insert(keyed('newer', rex, { fingerprints: ['a1'] })), { outcome: 'in progress' })
})
