import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { OrderKey } from '../../src/lib/ids/order-id.ts'
import { countStatement, listByTimeStatement } from '../../src/storage/orders/by-time.ts'
import { cancelStatement } from '../../src/storage/orders/cancel.ts'
import { closeStatement } from '../../src/storage/orders/close.ts'
import { expireStatement } from '../../src/storage/orders/expire.ts'
import { findStatement } from '../../src/storage/orders/find.ts'
import { storeStatement } from '../../src/storage/orders/idempotent-orders.ts'
import { listStatement, type OrderPageRequest, walkOf } from '../../src/storage/orders/pages.ts'
import { placeStatement } from '../../src/storage/orders/place.ts'
import { connectionSettings } from '../../src/storage/postgres/connection.ts'
import { createDatabase } from '../support/database.ts'
import { LONG } from '../support/long.ts'
import { blocksRead, tableReads } from '../support/table-reads.ts'

const ORDERS = LONG ? 1_000_000 : 100_000
const PETS = ORDERS / 5
const RARE = 60
const HOT_PET = 7n

const { url, pool } = await createDatabase()
const client = new pg.Client(connectionSettings(url))
await client.connect()

// Placed is rare, and so is one reference: both are the oldest, the worst case for a plan that walks and filters. One pet has
// every tenth order, and one reference every third. The statistics are those of the first thousand orders and pets.
const fill = (from: number, to: number) =>
  pool.query(
    `insert into orders (pet_id, id, version, status, expires_at, closed_at, reference)
     select case when i % 10 = 0 then ${HOT_PET} else i % ${PETS} + 1 end, i * 1000, 2,
            case when i <= ${RARE} then 'placed' when i % 2 = 0 then 'completed' else 'cancelled' end,
            now() - interval '1 day', case when i > ${RARE} then now() end,
            case when i <= ${RARE} then 'rare' when i % 3 = 0 then 'common' when i % 3 = 1 then 'basket ' || i end
     from generate_series($1::bigint, $2::bigint) as i`,
    [from, to],
  )
const fillPets = (from: number, to: number) =>
  pool.query(
    `insert into pets (name, category_id, status) select 'pet ' || i, i, 'available' from generate_series($1::int, $2::int) as i`,
    [from, to],
  )
await pool.query('alter table orders set (autovacuum_enabled = off)')
await pool.query('alter table pets set (autovacuum_enabled = off)')
await Promise.all([fill(1, 1_000), fillPets(1, 1_000)])
await pool.query('analyze orders, pets, idempotency_keys')
await Promise.all([fill(1_001, ORDERS), fillPets(1_001, PETS)])
await pool.query(`
  update pets set status = 'pending', held_by = orders.id from orders where orders.status = 'placed' and pets.id = pet_id`)

const AFTER: Record<string, OrderKey | undefined> = {
  first: undefined,
  middle: { petId: 1n, id: BigInt(ORDERS / 2) * 1_000n },
  last: { petId: 1n, id: 61_000n },
}
const FILTERS: Omit<OrderPageRequest, 'limit'>[] = [
  {},
  { status: 'placed' },
  { status: 'completed' },
  { status: 'expired' },
  { petId: 8n },
  { petId: HOT_PET },
  { petId: 999_999_999n },
  { petId: HOT_PET, status: 'placed' },
  { petId: HOT_PET, status: 'cancelled' },
  { petId: HOT_PET, status: 'expired' },
  { reference: 'common' },
  { reference: 'rare' },
  { reference: 'none' },
  { reference: 'common', status: 'placed' },
  { reference: 'rare', status: 'expired' },
  { reference: 'none', status: 'placed' },
]

for (const statistics of ['stale', 'fresh']) {
  if (statistics === 'fresh')
    test('statistics are made', async () => {
      await pool.query('vacuum analyze orders, pets')
    })

  for (const filter of FILTERS)
    test(`a page with ${JSON.stringify(filter, digits)} reads at most 4 × (limit + 1) orders, with ${statistics} statistics`, async () => {
      for (const [page, after] of Object.entries(AFTER))
        for (const limit of [1, 20, 100]) {
          const request = { ...filter, after, limit }
          const { orders = 0 } = await tableReads(client, listStatement(walkOf(request), [request]))
          assert.ok(orders <= 4 * (limit + 1), `${orders} orders read for ${limit}, ${page} page`)
        }
    })

  test(`thirty pages at once read no more than one after the other, with ${statistics} statistics`, async () => {
    for (const filter of FILTERS) {
      const requests = Array.from({ length: 30 }, (_, i) => ({
        ...filter,
        after: { petId: 1n, id: BigInt(i * 30 * ORDERS) },
        limit: 20,
      }))
      const { orders = 0 } = await tableReads(client, listStatement(walkOf({ ...filter, limit: 20 }), requests))
      assert.ok(orders <= 30 * 4 * 21, `${orders} orders read`)
    }
  })

  test(`a page by times reads at most limit + 1 orders, wherever it begins, with ${statistics} statistics`, async () => {
    const { rows } = await pool.query<Record<string, string>>(`
      select min(extract(epoch from closed_at) * 1000000)::bigint as first, max(extract(epoch from closed_at) * 1000000)::bigint + 1 as end,
             min(extract(epoch from expires_at) * 1000000)::bigint as expires
      from orders`)
    const [first, end, expires] = ['first', 'end', 'expires'].map((name) => BigInt(rows[0]![name]!))
    const middle = { time: end! - 1n, id: BigInt(ORDERS / 2) * 1_000n, petId: 1n }
    for (const limit of [1, 20, 100]) {
      for (const status of ['completed', 'cancelled', 'expired'] as const)
        for (const range of [{}, { after: middle }, { from: first!, to: end! }, { from: end! }, { to: first! }]) {
          const statement = listByTimeStatement('closed', [{ status, ...range, limit }])
          const { orders = 0 } = await tableReads(client, statement)
          assert.ok(orders <= limit + 1, `${orders} orders read for ${limit}, ${status}`)
        }
      for (const after of [undefined, { time: expires!, id: 20_000n, petId: 1n }]) {
        const { orders = 0 } = await tableReads(
          client,
          listByTimeStatement('open', [{ status: 'placed', after, limit }]),
        )
        assert.ok(orders <= limit + 1, `${orders} orders read for ${limit}`)
      }
    }
    const pages = Array.from({ length: 30 }, () => ({ status: 'completed' as const, after: middle, limit: 20 }))
    const { orders = 0 } = await tableReads(client, listByTimeStatement('closed', pages))
    assert.equal(orders, 30 * 21)
  })

  test(`a count reads at most 1,000 orders, and few blocks, with ${statistics} statistics`, async () => {
    for (const [kind, status] of [
      ['all', undefined],
      ['open', 'placed'],
      ['closed', 'completed'],
      ['closed', 'expired'],
    ] as const) {
      const statement = countStatement(kind, [{ status }])
      const { orders = 0 } = await tableReads(client, statement)
      assert.ok(orders <= 1_000, `${orders} orders read, ${status}`)
      if (statistics === 'stale') continue
      // Vacuum has been there: the index alone is read.
      const blocks = await blocksRead(client, statement)
      assert.ok(blocks <= 30, `${blocks} blocks read, ${status}`)
    }
  })

  test(`fetching orders reads one row for each, with ${statistics} statistics`, async () => {
    const keys = Array.from({ length: 200 }, (_, i) => ({ petId: BigInt(i + 2), id: BigInt(i + 1) * 1_000n }))
    const { orders = 0 } = await tableReads(client, findStatement(keys))
    assert.ok(orders > 0 && orders <= 200, `${orders} orders read`)
  })

  // Each pet is locked, then updated, or looked for a second time where it was not locked.
  test(`placing orders reads each pet twice at most, with ${statistics} statistics`, async () => {
    const inputs = Array.from({ length: 200 }, (_, i) => ({
      petId: BigInt((i * 45 * PETS) / 10_000 + 100),
      expiresIn: 60,
    }))
    const statements = [
      placeStatement(inputs),
      storeStatement(
        inputs.map((input, i) => ({
          apiKeyId: 'key_1',
          chainId: 'key_1',
          key: `key ${i}`,
          fingerprints: ['00'] as [string],
          attempt: i,
          input,
        })),
      ),
    ]
    for (const statement of statements) {
      const { pets = 0, orders = 0 } = await tableReads(client, statement)
      assert.ok(pets > 0 && pets <= 400, `${pets} pets read`)
      assert.equal(orders, 0)
    }
  })

  test(`a limit of open orders reads the open orders of a chain once for a batch, and no more than may be open, with ${statistics} statistics`, async () => {
    const limited = (chainId: string, mostOpen: number) =>
      placeStatement(
        Array.from({ length: 20 }, (_, i) => ({
          petId: BigInt(PETS - i),
          expiresIn: 60,
          keyId: chainId,
          chainId,
          mostOpen,
        })),
      )
    // Half of what this chain has placed has ended. Other chains have more orders open.
    await pool.query(`
      insert into orders (pet_id, id, version, status, expires_at, closed_at, chain_id)
      select ${10 * PETS} + i, 1, 2, case when i % 2 = 0 then 'placed' else 'completed' end, now() + interval '1 day',
             case when i % 2 = 1 then now() end, case when i <= 1000 then 'key_full' else 'key_other' end
      from generate_series(1, 5000) as i on conflict do nothing`)
    assert.deepEqual((await tableReads(client, limited('key_new', 1_000)))['orders'] ?? 0, 0)
    for (const most of [100, 500, 2_000]) {
      const { orders = 0 } = await tableReads(client, limited('key_full', most))
      assert.equal(orders, Math.min(most, 500))
    }
  })

  test(`cancelling the open orders of a chain reads no others, with ${statistics} statistics`, async () => {
    const reads = await tableReads(client, cancelStatement('key_full', 2n ** 62n, 0))
    assert.ok(reads['orders']! >= 500 && reads['orders']! <= 1_000, JSON.stringify(reads))
  })

  test(`ending orders reads each pet and each order twice at most, with ${statistics} statistics`, async () => {
    const closings = Array.from({ length: 200 }, (_, i) => ({
      petId: BigInt(i + 2),
      id: BigInt(i + 1) * 1_000n,
      status: 'completed' as const,
    }))
    const reads = await tableReads(client, closeStatement(closings))
    assert.ok(reads['pets']! > 0 && reads['pets']! <= 400, JSON.stringify(reads))
    assert.ok(reads['orders']! > 0 && reads['orders']! <= 400, JSON.stringify(reads))
  })

  test(`expiry reads what is due and no other order, with ${statistics} statistics`, async () => {
    const reads = await tableReads(client, expireStatement(0))
    assert.ok(reads['orders']! >= RARE && reads['orders']! <= 2 * RARE, JSON.stringify(reads))
    assert.ok(reads['pets']! <= 2 * RARE, JSON.stringify(reads))
  })
}

test('done', async () => client.end())

function digits(_key: string, value: unknown) {
  return typeof value === 'bigint' ? String(value) : value
}
