import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKeyedInserts } from '../../src/storage/idempotency/keyed-inserts.ts'
import type { Keyed, KeyedOperation } from '../../src/storage/idempotency/statements.ts'
import { openKeyedPets } from '../../src/storage/pets/keyed-pets.ts'
import type { NewPet } from '../../src/storage/pets/pets.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { createDatabase } from '../support/database.ts'

const { url, pool } = await createDatabase()
await pool.query('create sequence toys_id_seq; create table toys (id bigint primary key, label text)')

/** A second operation, as another resource would declare it. */
const KEYED_TOYS: KeyedOperation<string> = {
  operation: 'createToy',
  name: 'keyedToys',
  nextId: `nextval('toys_id_seq')`,
  columns: { label: 'text' },
  valuesOf: (labels) => [labels],
  insert: 'insert into toys (id, label) select id, label from claimed',
  record: 'select', // a toy has no events
}

let attempts = 0
const [FIRST, SUCCESSOR, LAST] = ['key_first', 'key_successor', 'key_last']

function keyed<Input>(key: string, input: Input, overrides: Partial<Keyed<Input>> = {}): Keyed<Input> {
  return { apiKeyId: FIRST, chainId: FIRST, key, fingerprints: ['01'], attempt: ++attempts, input, ...overrides }
}

const rex: NewPet = { name: 'Rex', categoryId: 1n }

test('two operations may use the same key: each stores its own row, and replays it', async () => {
  await using db = new Database(url, () => {})
  const [pets, toys] = [openKeyedPets(db), openKeyedInserts(db, KEYED_TOYS)]
  const insertPet = () => pets.insert(keyed('shared', rex))
  const insertToy = (label: string, fingerprint: string) =>
    toys.insert(keyed('shared', label, { fingerprints: [fingerprint] }))
  const [pet, toy] = [await insertPet(), await insertToy('ball', '02')]
  assert.ok(pet.outcome === 'created' && toy.outcome === 'created')
  assert.deepEqual(await insertPet(), { outcome: 'replayed', id: pet.id, keyId: FIRST })
  assert.deepEqual(await insertToy('ball', '02'), { outcome: 'replayed', id: toy.id, keyId: FIRST })
  assert.equal((await insertToy('rope', '03')).outcome, 'reused')
  const { rows } = await pool.query('select id::int, label from toys')
  assert.deepEqual(rows, [{ id: Number(toy.id), label: 'ball' }])
})

test('the keys of a rotation chain share their idempotency keys, in either direction', async () => {
  await using db = new Database(url, () => {})
  const pets = openKeyedPets(db)
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
  const stores = [openKeyedPets(db), openKeyedPets(db), openKeyedPets(db)]
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
  const pets = openKeyedPets(db)
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
  const pets = openKeyedPets(db)
  await pets.insert(keyed('newer', rex, { fingerprints: ['b2', 'a1'] }))
  assert.deepEqual(await pets.insert(keyed('newer', rex, { fingerprints: ['a1'] })), { outcome: 'in progress' })
})
