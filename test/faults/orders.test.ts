import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brokenRules, countsOf, judge, type Kind, RULES } from '../../faults/orders/judge.ts'
import { type BuyersRecord, emptyRecord } from '../../faults/orders/record.ts'
import { readShop, type StoredShop } from '../../faults/orders/stored.ts'
import { createDatabase } from '../support/database.ts'

const { url, pool } = await createDatabase()

// Seven pets: never ordered; held; sold after an order that was cancelled; expired; cancelled and edited; sold and deleted; edited
// often, so that its versions have one digit and two.
const FILL = `
  truncate pets, orders;
  insert into pets (id, name, category_id, status, version, held_by) values
    (1, 'run 1', 1, 'available', 1, null), (2, 'run 2', 1, 'pending', 2, 20), (3, 'run 3', 1, 'sold', 5, null),
    (4, 'run 4', 1, 'available', 3, null), (5, 'run 5', 1, 'available', 4, null),
    (7, 'run 7', 1, 'available', 11, null), (9, 'of others', 1, 'pending', 7, 90);
  insert into orders (pet_id, id, version, status, expires_at, closed_at, reference) values
    (2, 20, 2, 'placed', '2036-11-16 09:00:00.123Z', null, 'run a'),
    (3, 30, 2, 'cancelled', '2036-11-16 09:00:00.123Z', '2026-11-16 09:00Z', 'run b'),
    (3, 31, 4, 'completed', '2036-11-16 09:00:00.123Z', '2026-11-16 09:01Z', 'run c'),
    (4, 40, 2, 'expired', '2026-11-16 09:00Z', '2026-11-16 09:00:00.5Z', 'run d'),
    (5, 50, 2, 'cancelled', '2036-11-16 09:00:00.123Z', '2026-11-16 09:00Z', 'run e'),
    (6, 60, 2, 'completed', '2036-11-16 09:00:00.123Z', '2026-11-16 09:00Z', 'run f'),
    (7, 70, 8, 'expired', '2026-11-16 09:00Z', '2026-11-16 09:00Z', 'run g'),
    (7, 71, 10, 'expired', '2026-11-16 09:00Z', '2026-11-16 09:00Z', 'run h')`

const ID = {
  a: 'ord_AAAAAAAAAgAAAAAAAAAU',
  b: 'ord_AAAAAAAAAwAAAAAAAAAe',
  c: 'ord_AAAAAAAAAwAAAAAAAAAf',
  d: 'ord_AAAAAAAABAAAAAAAAAAo',
  e: 'ord_AAAAAAAABQAAAAAAAAAy',
  f: 'ord_AAAAAAAABgAAAAAAAAA8',
  g: 'ord_AAAAAAAABwAAAAAAAABG',
  h: 'ord_AAAAAAAABwAAAAAAAABH',
}
const LATER = '2036-11-16T09:00:00.123Z'

/** What buyers of this shop were told. */
function recordOf(): BuyersRecord {
  const placed = (name: keyof typeof ID, petId: bigint, at: number, expiresAt = LATER) => ({
    orderId: ID[name],
    petId,
    reference: `run ${name}`,
    expiresAt,
    begun: at - 1,
    at,
  })
  const ended = (name: keyof typeof ID, as: 'completed' | 'cancelled', at: number) => ({
    orderId: ID[name],
    as,
    result: 'acknowledged' as const,
    begun: at - 1,
    at,
  })
  return {
    ...emptyRecord(),
    placed: [
      placed('a', 2n, 10),
      placed('b', 3n, 10),
      placed('c', 3n, 30),
      placed('d', 4n, 10, '2026-11-16T09:00:00.000Z'),
      placed('e', 5n, 10),
      placed('f', 6n, 10),
    ],
    ended: [
      ended('b', 'cancelled', 20),
      { ...ended('b', 'completed', 21), result: 'rejected' },
      ended('c', 'completed', 40),
      { ...ended('e', 'cancelled', 40), result: 'unknown' },
      ended('f', 'completed', 40),
    ],
    seen: [
      { petId: 3n, version: 1n, begun: 1, at: 2 },
      { petId: 3n, version: 5n, begun: 41, at: 50 },
      // In flight at the same time, so they may be in either order.
      { petId: 3n, version: 4n, begun: 45, at: 60 },
    ],
    edited: [
      { petId: 5n, version: 3n, begun: 12, at: 13 },
      { petId: 5n, begun: 14, at: 15 },
      ...[2n, 3n, 4n, 5n, 6n, 7n].map((version) => ({ petId: 7n, version, begun: 1, at: 2 })),
    ],
    deleted: [6n],
  }
}

async function violationsAfter(plant: Plant) {
  await pool.query(FILL)
  if (plant.sql !== undefined) await pool.query(plant.sql)
  const record = recordOf()
  plant.told?.(record)
  return judge(record, await readShop(url, 'run'))
}

interface Plant {
  kind: Kind
  /** As a sentence with "there is". */
  what: string
  /** A change of what is stored, or of what buyers were told. */
  sql?: string
  told?: (record: BuyersRecord) => void
}

const OPEN = `'placed', '2036-11-16 09:00Z', null`
const PLANTS: Plant[] = [
  { kind: 'lost', what: 'an order that is gone', sql: 'delete from orders where id = 30' },
  { kind: 'lost', what: 'an order with another reference', sql: `update orders set reference = 'run z' where id = 30` },
  {
    kind: 'lost',
    what: 'an order that ends earlier',
    sql: `update orders set expires_at = '2036-01-01Z' where id = 20`,
  },
  {
    kind: 'lost',
    what: 'a sale that is open again',
    sql: `update orders set status = 'placed', closed_at = null where id = 31;
          update pets set status = 'pending', held_by = 31, version = 4 where id = 3`,
  },
  {
    kind: 'lost',
    what: 'a cancelled order that was sold',
    sql: `update orders set status = 'completed' where id = 30`,
  },
  {
    kind: 'endedByNobody',
    what: 'an order that expired too early',
    sql: `update orders set closed_at = '2026-11-16 08:59:59.999999Z' where id = 40`,
  },
  {
    kind: 'endedByNobody',
    what: 'an order that nobody cancelled',
    sql: `update orders set status = 'cancelled', closed_at = now() where id = 20;
          update pets set status = 'available', held_by = null, version = 3 where id = 2`,
  },
  {
    kind: 'rejectedInVain',
    what: 'an open order that could not be completed',
    told: ({ ended }) => ended.push({ orderId: ID.a, as: 'completed', result: 'rejected', begun: 50, at: 51 }),
  },
  {
    kind: 'placedTwice',
    what: 'a call that placed two orders',
    sql: `insert into orders (pet_id, id, version, status, expires_at, closed_at, reference)
          values (1, 10, 2, ${OPEN}, 'run a');
          update pets set status = 'pending', held_by = 10, version = 2 where id = 1`,
  },
  {
    kind: 'soldTwice',
    what: 'a pet that two orders have sold',
    sql: `insert into orders values (3, 32, 6, 'completed', '2036-11-16 09:00Z', now(), 'run z');
          update pets set version = 7 where id = 3`,
  },
  {
    kind: 'soldTwice',
    what: 'a sold pet that was ordered again',
    sql: `insert into orders values (3, 32, 6, 'expired', '2026-11-16 09:00Z', now(), 'run z');
          update pets set version = 7 where id = 3`,
  },
  {
    kind: 'heldTwice',
    what: 'a pet with two placed orders',
    sql: `insert into orders values (2, 21, 4, ${OPEN}, 'run z')`,
  },
  {
    kind: 'heldTwice',
    what: 'an order that was placed before the one before it had ended',
    sql: `update orders set version = 3 where id = 31`,
  },
  {
    kind: 'heldTwice',
    what: 'an order that was acknowledged while another held the pet',
    told: ({ placed }) =>
      placed.push({ orderId: ID.b, petId: 2n, reference: 'run b', expiresAt: LATER, begun: 11, at: 12 }),
  },
  { kind: 'heldWithoutOrder', what: 'a pet held by an order that is gone', sql: 'delete from orders where id = 20' },
  {
    kind: 'heldWithoutOrder',
    what: 'a pet that still belongs to an order that has ended',
    sql: `update orders set status = 'expired', closed_at = expires_at where id = 20`,
  },
  {
    kind: 'heldWithoutOrder',
    what: 'a pending pet without an order',
    sql: `update pets set status = 'pending' where id = 1`,
  },
  {
    kind: 'placedWithoutPet',
    what: 'a placed order whose pet is available',
    sql: `update pets set status = 'available', held_by = null where id = 2`,
  },
  { kind: 'placedWithoutPet', what: 'a placed order whose pet is gone', sql: 'delete from pets where id = 2' },
  { kind: 'soldWithoutOrder', what: 'a pet sold by nobody', sql: `update pets set status = 'sold' where id = 1` },
  {
    kind: 'soldWithoutOrder',
    what: 'a sale of an available pet',
    sql: `update pets set status = 'available' where id = 3`,
  },
  {
    kind: 'deleted',
    what: 'a deleted pet that is back',
    sql: `insert into pets (id, name, category_id, status, version) values (6, 'run 6', 1, 'sold', 3)`,
  },
  { kind: 'deleted', what: 'a pet that nobody deleted and is gone', sql: 'delete from pets where id = 4' },
  {
    kind: 'deleted',
    what: 'an edited pet that is gone',
    told: ({ edited }) => edited.push({ petId: 8n, begun: 1, at: 2 }),
  },
  { kind: 'versionBack', what: 'a pet with an older version', sql: 'update pets set version = 4 where id = 3' },
  {
    kind: 'versionBack',
    what: 'a response with an older version than one before it',
    told: ({ seen }) => seen.push({ petId: 3n, version: 4n, begun: 61, at: 62 }),
  },
  { kind: 'lostChange', what: 'an edit that is lost', sql: 'update pets set version = 3 where id = 5' },
  { kind: 'lostChange', what: 'a version that no change made', sql: 'update pets set version = 2 where id = 1' },
  {
    kind: 'lostChange',
    what: 'an edit that made the version of another',
    told: ({ edited }) => edited.push({ petId: 5n, version: 3n, begun: 12, at: 13 }),
  },
]

test('a shop in order breaks no rule, and pets of others are not looked at', async () => {
  const violations = await violationsAfter({ kind: 'lost', what: 'nothing' })
  assert.deepEqual(brokenRules(violations), [])
  assert.deepEqual(countsOf(violations), { lost: 0, twice: 0 })
})

test('the stored shop has all of its pets and orders', async () => {
  await pool.query(FILL)
  const { pets, orders }: StoredShop = await readShop(url, 'run')
  assert.equal(pets.length, 6)
  assert.deepEqual(
    orders.map(({ orderId }) => orderId),
    Object.values(ID),
  )
})

for (const plant of PLANTS) {
  test(`the checker finds ${plant.what} (${plant.kind})`, async () => {
    const violations = await violationsAfter(plant)
    assert.notDeepEqual(violations[plant.kind], [])
    assert.ok(brokenRules(violations).length > 0)
  })
}

test('each rule has a planted violation', () => {
  assert.deepEqual(new Set(PLANTS.map(({ kind }) => kind)), new Set(Object.keys(RULES)))
})
