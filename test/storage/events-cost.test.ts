import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { EventType } from '../../src/domain/types/event.ts'
import { typeBits } from '../../src/storage/events/event-rows.ts'
import { newestStatement } from '../../src/storage/events/newest.ts'
import { type FeedRequest, feedStatement, historyStatement } from '../../src/storage/events/pages.ts'
import { pruneStatement } from '../../src/storage/events/pruner.ts'
import { SEQUENCE_STATEMENT } from '../../src/storage/events/sequencer.ts'
import { connectionSettings } from '../../src/storage/postgres/connection.ts'
import { opened } from '../support/cleanup.ts'
import { createDatabase } from '../support/database.ts'
import { connected } from '../support/feed.ts'
import { LONG } from '../support/long.ts'
import { tableReads } from '../support/table-reads.ts'

const EVENTS = LONG ? 1_000_000 : 100_000
const PETS = EVENTS / 5
const ORDERS = EVENTS / 10
const SMALL_PAGES = EVENTS / 5
const HOT_PET = 7n
const YEAR_MS = 365 * 86_400_000

const { url, pool } = await createDatabase()
const client = new pg.Client(connectionSettings(url))
await client.connect()
opened.defer(() => client.end())
// With the settings of the connection that sequences, and of the transaction that prunes.
const background = new pg.Client(connectionSettings(url))
await background.connect()
await background.query('set enable_seqscan = off')
opened.defer(() => background.end())

// One pet has every tenth event. Events of orders are rare and the oldest: the worst case for a page with types. The first pages
// have four events each, as in a quiet store, the others a thousand. The statistics are those of the first thousand events.
const fill = (from: number, to: number) =>
  pool.query(
    `insert into events (pet_id, version, transaction, at, type, name, category_id, status, order_id)
     select case when i % 10 = 0 then ${HOT_PET} else i % ${PETS} + 100 end, i, (3 + i % 300)::text::xid8,
            now() - interval '1 day' + i * interval '1 millisecond',
            case when i <= 60 then 'order.placed' else 'pet.updated' end, 'pet ' || i, i, 'available', case when i <= 60 then i end
     from generate_series($1::bigint, $2::bigint) as i`,
    [from, to],
  )
// The large pages seem to have events of another type, too: with it, each of their events is read.
const TYPES_OF_PAGES: EventType[][] = [['order.placed'], ['pet.updated'], ['pet.updated', 'order.completed']]
const fillPages = (from: number, to: number, size: number) =>
  pool.query(
    `insert into feed_pages (first, pet_ids, versions, types, snapshot, mark, mark_before, epoch, system, at)
     select min(i), array_agg(case when i % 10 = 0 then ${HOT_PET} else i % ${PETS} + 100 end order by i), array_agg(i order by i),
            bit_or(case when i <= 60 then $4::int when i <= ${SMALL_PAGES} then $5 else $6 end), pg_current_snapshot(), min(i), min(i) - $3, 0, system_identifier, now() - interval '2 years'
     from generate_series($1::bigint, $2::bigint) as i, pg_control_system() group by (i - 1) / $3, system_identifier`,
    [from, to, size, ...TYPES_OF_PAGES.map(typeBits)],
  )
for (const table of ['events', 'feed_pages', 'orders'])
  await pool.query(`alter table ${table} set (autovacuum_enabled = off)`)
const fillOrders = (from: number, to: number) =>
  pool.query(
    `insert into orders (pet_id, id, version, status, expires_at, closed_at)
     select i % ${PETS} + 100, i, i, 'completed', now(), now() from generate_series($1::bigint, $2::bigint) as i`,
    [from, to],
  )
await pool.query(`update feed_pages set at = now() - interval '2 years'`)
await fillOrders(1, 1_000)
await fill(1, 1_000)
await fillPages(1, 1_000, 4)
await pool.query('analyze events, feed_pages, orders')
await fillOrders(1_001, ORDERS)
await fill(1_001, EVENTS)
await fillPages(1_001, SMALL_PAGES, 4)
await fillPages(SMALL_PAGES + 1, EVENTS, 1_000)

const HEAD = { sequence: BigInt(EVENTS), pageToken: BigInt(EVENTS - 999), epoch: 0n }
const at = (sequence: number) => ({
  sequence: BigInt(sequence),
  pageToken: BigInt(sequence < SMALL_PAGES ? sequence - ((sequence - 1) % 4) : sequence - ((sequence - 1) % 1_000)),
})
const PLACES: Record<string, FeedRequest['after']> = {
  first: undefined,
  'in small pages': at(EVENTS / 10 + 1),
  'in large pages': at(EVENTS / 2 + 500),
  last: at(EVENTS - 50),
  end: at(EVENTS),
}

for (const statistics of ['stale', 'fresh']) {
  if (statistics === 'fresh')
    test('statistics are made', async () => {
      await pool.query('vacuum analyze events, feed_pages, orders')
    })

  test(`a page reads each of its events once, and few pages of the feed, with ${statistics} statistics`, async () => {
    for (const [name, after] of Object.entries(PLACES))
      for (const limit of [1, 20, 100]) {
        const { events = 0, feed_pages: pages = 0 } = await tableReads(client, feedStatement([{ after, limit }], HEAD))
        const expected = name === 'end' ? 0 : name === 'last' ? Math.min(limit, 50) : limit
        assert.equal(events, expected, `${name}, ${limit}`)
        assert.ok(pages <= limit / 4 + 12, `${pages} pages of the feed read for ${limit}, ${name}`)
      }
  })

  test(`a page with types reads at most a thousand events, however rare they are, with ${statistics} statistics`, async () => {
    for (const [name, after] of Object.entries(PLACES)) {
      const request: FeedRequest = { after, limit: 20, types: ['order.placed', 'pet.deleted'] }
      const { events = 0, feed_pages: pages = 0 } = await tableReads(client, feedStatement([request], HEAD))
      assert.ok(events <= 1_000, `${events} events read, ${name}`)
      assert.ok(pages <= 260, `${pages} pages of the feed read, ${name}`)
    }
  })

  test(`a page of a key reads at most a thousand events, in both directions, with ${statistics} statistics`, async () => {
    await pool.query(
      `insert into api_keys (id, name, hash, mode, scopes) values ('key_none', 'none', repeat('0', 64), 'test', '{}') on conflict do nothing`,
    )
    for (const [name, place] of Object.entries(PLACES))
      for (const types of [undefined, ['pet.updated'] as const]) {
        const filter = { limit: 20, types, keyId: 'key_none' }
        for (const statement of [
          feedStatement([{ ...filter, after: place }], HEAD),
          newestStatement([{ ...filter, before: place }], HEAD),
        ]) {
          const { events = 0, feed_pages: pages = 0, api_keys: keys } = await tableReads(client, statement)
          assert.ok(events <= 1_000, `${events} events read, ${name}`)
          assert.ok(pages <= 265, `${pages} pages of the feed read, ${name}`)
          assert.ok(keys! >= 1 && keys! <= 2, `${keys} keys read`)
        }
      }
  })

  test(`a page from the newest event back reads its events and no other, with ${statistics} statistics`, async () => {
    for (const before of [undefined, at(EVENTS - 50), at(EVENTS / 2 + 500), at(EVENTS / 10 + 1)])
      for (const limit of [1, 20, 100]) {
        const plain = await tableReads(client, newestStatement([{ before, limit }], HEAD))
        assert.equal(plain['events'], limit)
        assert.ok(plain['feed_pages']! <= limit / 4 + 12, `${plain['feed_pages']} pages of the feed read for ${limit}`)
        const common = await tableReads(client, newestStatement([{ before, limit, types: ['pet.updated'] }], HEAD))
        assert.equal(common['events'], limit)
        assert.ok(
          common['feed_pages']! <= limit / 4 + 45,
          `${common['feed_pages']} pages of the feed read for ${limit}`,
        )
      }
  })

  test(`events of a rare type are found without reading the others, with ${statistics} statistics`, async () => {
    const request = { before: at(9_501), limit: 20, types: ['order.placed'] as const }
    const { events } = await tableReads(client, newestStatement([request], HEAD))
    assert.equal(events, 20)
    for (const before of [undefined, at(9_501)]) {
      const absent = await tableReads(client, newestStatement([{ before, limit: 20, types: ['order.expired'] }], HEAD))
      assert.equal(absent['events'] ?? 0, 0)
      assert.ok(absent['feed_pages']! <= 10_000 / 4 + 12, `${absent['feed_pages']} pages of the feed read`)
    }
  })

  test(`one request reads at most 10,000 events for a type that pages seem to have, with ${statistics} statistics`, async () => {
    const seeming = await tableReads(client, newestStatement([{ limit: 20, types: ['order.completed'] }], HEAD))
    assert.equal(seeming['events'], 10_000)
    assert.ok(seeming['feed_pages']! <= 10_000 / 1_000 + 12, `${seeming['feed_pages']} pages of the feed read`)
  })

  test(`a time is found by few pages, with ${statistics} statistics`, async () => {
    const { feed_pages: pages = 0 } = await tableReads(client, feedStatement([{ since: Date.now(), limit: 20 }], HEAD))
    assert.ok(pages <= 40, `${pages} pages of the feed read`)
  })

  test(`ten pages at once read no more than one after the other, with ${statistics} statistics`, async () => {
    const requests = Array.from({ length: 10 }, (_, i) => ({ after: at((i * 9 * EVENTS) / 100 + 17), limit: 100 }))
    const { events = 0, feed_pages: pages = 0 } = await tableReads(client, feedStatement(requests, HEAD))
    assert.equal(events, 1_000)
    assert.ok(pages <= 10 * 33, `${pages} pages of the feed read`)
  })

  test(`a page of a history reads its events and no other, with ${statistics} statistics`, async () => {
    for (const petId of [HOT_PET, 150n, 999_999_999n])
      for (const after of [0n, BigInt(EVENTS / 2), BigInt(EVENTS - 100)]) {
        for (const sort of ['oldest', 'newest'] as const) {
          const { events = 0 } = await tableReads(client, historyStatement([{ petId, after, limit: 100 }], sort))
          assert.ok(events <= 100, `${events} events read of ${petId}, ${sort} first`)
        }
      }
  })

  test(`a round of the sequencer reads new events and no other, with ${statistics} statistics`, async () => {
    await using own = new AsyncDisposableStack()
    const reads = async (expected: number) => {
      const { events = 0, feed_pages: pages = 0 } = await tableReads(background, SEQUENCE_STATEMENT)
      assert.equal(events, expected)
      assert.ok(pages <= 2, `${pages} pages of the feed read`)
    }
    const add = (pet: number, count: number) =>
      pool.query(
        `insert into events (pet_id, version, type, name, category_id)
         select $1::bigint + i, (select max(first) from feed_pages), 'pet.created', 'Rex', 1 from generate_series(1, $2::int) as i`,
        [pet, count],
      )
    await reads(0)
    await add(10_000_000, 300)
    await reads(300)
    const old = await connected(url, own)
    await old.query('begin; select pg_current_xact_id()')
    await background.query(SEQUENCE_STATEMENT)
    await reads(0)
    // It stays open while many events come and are given their numbers.
    await add(20_000_000, 5_000)
    await background.query(SEQUENCE_STATEMENT)
    await reads(0)
    await old.query(
      `insert into events (pet_id, version, type, name, category_id) values (30000000, txid_current(), 'pet.created', 'Rex', 1)`,
    )
    await old.query('commit')
    await reads(1)
    await background.query(SEQUENCE_STATEMENT)
    await reads(0)
  })

  test(`to prune reads what is removed and little else, with ${statistics} statistics`, async () => {
    const { events = 0, feed_pages: pages = 0 } = await tableReads(background, pruneStatement(YEAR_MS))
    assert.ok(events > 0 && events <= 2 * 2_000, `${events} events read`)
    assert.ok(pages > 0 && pages <= 2 * 20 + 4, `${pages} pages of the feed read`)
    const none = await tableReads(background, pruneStatement(10 * YEAR_MS))
    assert.deepEqual([none['events'] ?? 0, none['feed_pages']! <= 25], [0, true])
  })
}
