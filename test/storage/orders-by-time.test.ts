import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { Order, OrderPosition, OrderStatus } from '../../src/domain/types/order.ts'
import { countPeriodsStatement, countStatement, listByTimeStatement } from '../../src/storage/orders/by-time.ts'
import { openOrders } from '../../src/storage/orders/orders.ts'
import { connectionSettings } from '../../src/storage/postgres/connection.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { opened } from '../support/cleanup.ts'
import { createDatabase } from '../support/database.ts'
import { LONG } from '../support/long.ts'
import { blocksRead, tableReads } from '../support/table-reads.ts'

// Days with so many sales, the first of which was in the first millisecond of the day, and the last in its last.
const SALES = [LONG ? 1_000_000 : 100_000, 999, 1_000, 10, 0]
const OPEN = SALES[0]! / 10
const MANY = { count: 1_000, isMore: true }
const COUNTS = [MANY, { count: 999, isMore: false }, MANY, { count: 10, isMore: false }, { count: 0, isMore: false }]
const DAY = 86_400_000_000n
const NOON = DAY / 2n
const BEGIN = BigInt(Date.parse('2026-11-01T00:00:00Z')) * 1_000n

const { url, pool } = await createDatabase()
const orders = openOrders(opened.use(new Database(url, () => {})))
const client = new pg.Client(connectionSettings(url))
await client.connect()
opened.defer(() => client.end())

await pool.query('alter table orders set (autovacuum_enabled = off)')
for (const status of ['completed', 'cancelled'])
  for (const [day, sales] of SALES.entries())
    await pool.query(
      `insert into orders (pet_id, id, version, status, expires_at, closed_at)
       select $1::bigint * 1e7 + i, 1 + i / 3, 2, $2, at, at
       from generate_series(0, $3::bigint - 1) as i,
       lateral (
         select timestamptz '2026-11-01T00:00:00Z' + ($4::int * 86400000 + i * 86399999 / greatest($3::bigint - 1, 1)) * interval '1 ms' as at) as sale`,
      [status === 'completed' ? day + 1 : day + 11, status, status === 'completed' ? sales : Math.min(sales, 10), day],
    )
// Four of them expire in each moment.
await pool.query(
  `insert into orders (pet_id, id, version, status, expires_at)
   select 5e8 + i, 1 + i % 7, 2, 'placed', timestamptz '2026-12-01' + i / 4 * interval '1 microsecond'
   from generate_series(1, $1::int) as i`,
  [OPEN],
)
await pool.query('vacuum analyze orders')

/** All that a walk meets. */
async function walk(
  request: { status: OrderStatus; from?: bigint; to?: bigint },
  limit: number,
  after?: OrderPosition,
) {
  const met: Order[] = []
  for (let position = after; ; ) {
    const page = await orders.listByTime({ ...request, limit, after: position })
    met.push(...page.orders)
    if (!page.next) return met
    position = page.next
  }
}

const keysOf = (found: readonly Order[]) => found.map(({ petId, id }) => `${petId} ${id}`)

async function keysBy(where: string, order: string, values: unknown[]) {
  const { rows } = await pool.query<{ key: string }>(
    `select concat_ws(' ', pet_id, id) as key from orders where ${where} order by ${order}`,
    values,
  )
  return rows.map(({ key }) => key)
}

for (const [day, expected] of COUNTS.entries()) {
  const from = BEGIN + BigInt(day) * DAY
  const to = from + DAY

  test(`a day with ${SALES[day]} sales is counted from its first millisecond to its last`, async () => {
    assert.deepEqual(await orders.count({ status: 'completed', from, to }), expected)
    const few = Math.min(SALES[day]!, 10)
    assert.deepEqual(await orders.count({ status: 'cancelled', from, to }), { count: few, isMore: false })
    assert.deepEqual(await orders.count({ status: 'expired', from, to }), { count: 0, isMore: false })
  })

  if (day > 0)
    for (const limit of [7, 100])
      test(`a walk by ${limit} meets each of the ${SALES[day]} sales of a day once, the newest first`, async () => {
        const due = await keysBy(
          `status = 'completed' and closed_at >= $1 and closed_at < $2`,
          'closed_at desc, id desc, pet_id desc',
          [from, to].map((time) => new Date(Number(time / 1_000n))),
        )
        assert.equal(due.length, SALES[day])
        assert.deepEqual(keysOf(await walk({ status: 'completed', from, to }, limit)), due)
      })
}

test('the end of a day belongs to the next one: a millisecond more or less moves one sale', async () => {
  const [begin, end] = [BEGIN + 3n * DAY, BEGIN + 4n * DAY]
  const count = async (from: bigint, to: bigint) => (await orders.count({ status: 'completed', from, to })).count
  assert.equal(await count(begin, end), 10)
  assert.equal(await count(begin + 1n, end), 9)
  assert.equal(await count(begin, end - 1_000n), 9)
  assert.equal(await count(begin - 1_000n, end), 11)
  assert.equal(await count(begin, begin + 1n), 1)
  assert.equal(await count(end - 1_000n, end), 1)
  assert.equal(await count(end, end + DAY), 0)
})

test('the sales of periods that follow each other are counted together as one by one', async () => {
  const boundaries = Array.from({ length: SALES.length + 1 }, (_, day) => BEGIN + BigInt(day) * DAY)
  assert.deepEqual(await orders.countPeriods({ status: 'completed', boundaries }), COUNTS)
  const few = SALES.map((sales) => ({ count: Math.min(sales, 10), isMore: false }))
  assert.deepEqual(await orders.countPeriods({ status: 'cancelled', boundaries }), few)
  assert.deepEqual(await orders.countPeriods({ status: 'completed', boundaries: boundaries.slice(3, 5) }), [COUNTS[3]])
  assert.deepEqual(
    await orders.countPeriods({ status: 'expired', boundaries }),
    SALES.map(() => ({ count: 0, isMore: false })),
  )
})

test('all orders, and those that are open, are counted up to a thousand', async () => {
  assert.deepEqual(await orders.count({}), MANY)
  assert.deepEqual(await orders.count({ status: 'placed' }), MANY)
})

test('a walk meets each open order once, the soonest end first, also those of one moment', async () => {
  const due = await keysBy(`status = 'placed'`, 'expires_at, id, pet_id', [])
  const met = keysOf((await orders.listByTime({ status: 'placed', limit: 100 })).orders)
  assert.deepEqual(met, due.slice(0, 100))
  const start = (await orders.listByTime({ status: 'placed', limit: 1 })).next
  assert.deepEqual(
    keysOf((await orders.listByTime({ status: 'placed', limit: 3, after: start })).orders),
    due.slice(1, 4),
  )
  // From near the end, in pages that end within a moment.
  const near = BigInt(Date.parse('2026-12-01T00:00:00Z')) * 1_000n + BigInt(OPEN / 4 - 10)
  const end = await walk({ status: 'placed' }, 3, { time: near, id: 0n, petId: 0n })
  assert.equal(end.length, 41)
  assert.deepEqual(keysOf(end), due.slice(-41))
})

test('a position that no order can have is an empty page, or the first one', async () => {
  for (const time of [2n ** 63n - 1n, -(2n ** 63n)])
    for (const status of ['placed', 'completed'] as const) {
      const page = await orders.listByTime({
        status,
        limit: 2,
        after: { time, id: 2n ** 63n - 1n, petId: -(2n ** 63n) },
      })
      assert.equal(page.orders.length, time < 0n === (status === 'placed') ? 2 : 0)
    }
})

test('the counts of 14 periods of many sales read at most 1,000 orders for each, and few blocks', async () => {
  const boundaries = Array.from({ length: 15 }, (_, i) => BEGIN + (BigInt(i) * DAY) / 14n)
  const statement = countPeriodsStatement({ status: 'completed', boundaries })
  const { orders: read = 0 } = await tableReads(client, statement)
  assert.ok(read >= 14 * 999 && read <= 14_000, `${read} orders read`)
  const blocks = await blocksRead(client, statement)
  assert.ok(blocks <= 14 * 20, `${blocks} blocks read`)
  assert.deepEqual(
    await orders.countPeriods({ status: 'completed', boundaries }),
    boundaries.slice(1).map(() => MANY),
  )
})

test('counts and pages of a day read few blocks, however many orders there are', async () => {
  for (const day of SALES.keys())
    for (const [from, to] of [
      [0n, DAY],
      [NOON, DAY],
      [DAY - 1_000n, DAY],
    ] as const) {
      const range = {
        status: 'completed' as const,
        from: BEGIN + BigInt(day) * DAY + from,
        to: BEGIN + BigInt(day) * DAY + to,
      }
      const counted = await blocksRead(client, countStatement('closed', [range]))
      assert.ok(counted <= 20, `${counted} blocks read to count`)
      const listed = await blocksRead(client, listByTimeStatement('closed', [{ ...range, limit: 20 }]))
      assert.ok(listed <= 40, `${listed} blocks read for a page`)
    }
  for (const kind of ['all', 'open'] as const) {
    const counted = await blocksRead(client, countStatement(kind, [{ status: kind === 'open' ? 'placed' : undefined }]))
    assert.ok(counted <= 20, `${counted} blocks read to count ${kind}`)
  }
  const soonest = await blocksRead(client, listByTimeStatement('open', [{ status: 'placed', limit: 20 }]))
  assert.ok(soonest <= 40, `${soonest} blocks read for the soonest`)
})
