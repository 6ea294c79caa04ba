import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { prunePages } from '../../src/storage/events/pruner.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { opened } from '../support/cleanup.ts'
import { createDatabase } from '../support/database.ts'
import { openFeed, walk } from '../support/feed.ts'
import { until } from '../support/until.ts'

const HOUR_MS = 3_600_000

const { url, pool } = await createDatabase()
const db = opened.use(new Database(url, () => {}))
const feed = await openFeed(url, opened)
let pet = 0

beforeEach(async () => {
  pet += 1_000_000
  await pool.query(`update feed_pages set at = now() - interval '1 year'`)
  while (await prunePages(db, HOUR_MS));
})

/** Pages with so many events each, all of pets of their own. */
async function addPages(sizes: number[], { age = '1 year' } = {}) {
  for (const size of sizes) {
    await pool.query(
      `insert into events (pet_id, version, type, name, category_id)
       select $1::bigint + i, 1, 'pet.created', 'Rex', 1 from generate_series(1, $2::int) as i`,
      [pet, size],
    )
    pet += size
    await sequence()
  }
  await pool.query(
    `update feed_pages set at = now() - $1::interval where cardinality(pet_ids) > 0 and at > now() - interval '1 hour'`,
    [age],
  )
}

async function sequence() {
  await feed.sequence()
  const head =
    'select first + greatest(cardinality(pet_ids), 1) - 1 as head from feed_pages order by first desc limit 1'
  const { rows } = await pool.query<{ head: string }>(head)
  await until(() => feed.head.sequence >= BigInt(rows[0]!.head))
}

async function kept() {
  const { rows } = await pool.query<{ pages: number; numbered: number; events: number }>(`
    select count(*)::int as pages, coalesce(sum(cardinality(pet_ids)), 0)::int as numbered,
           (select count(*)::int from events) as events from feed_pages`)
  return rows[0]!
}

test('the last page is never removed, however old it is', async () => {
  await addPages([3, 2])
  assert.equal(await prunePages(db, HOUR_MS), true)
  assert.equal(await prunePages(db, HOUR_MS), false)
  assert.deepEqual(await kept(), { pages: 1, numbered: 2, events: 2 })
  assert.equal((await walk(feed))!.keys.length, 2)
})

test('what is not old enough is kept', async () => {
  await addPages([3, 2], { age: '59 minutes' })
  await prunePages(db, HOUR_MS) // the last page of before
  assert.equal(await prunePages(db, HOUR_MS), false)
  assert.deepEqual(await kept(), { pages: 2, numbered: 5, events: 5 })
})

test('a part has at most two thousand events, and at most twenty pages', async () => {
  await addPages([1_000, 1_000, 1_000, 1_000, 1])
  const removed: number[] = []
  for (let { events } = await kept(); events > 1; { events } = await kept()) {
    assert.equal(await prunePages(db, HOUR_MS), true)
    removed.push(events - (await kept()).events)
  }
  assert.ok(Math.max(...removed) <= 2_000, removed.join())
  await addPages(Array.from({ length: 45 }, () => 1))
  const parts: number[] = []
  for (let { pages } = await kept(); await prunePages(db, HOUR_MS); { pages } = await kept())
    parts.push(pages - (await kept()).pages)
  assert.deepEqual(parts, [20, 20, 5])
})

test('no page is removed before the one that precedes it, even if the clock of an earlier primary was ahead', async () => {
  await addPages([2, 3, 4, 1])
  const { rows } = await pool.query<{ first: string }>('select first from feed_pages where cardinality(pet_ids) = 3')
  await pool.query('update feed_pages set at = now() where first = $1', [rows[0]!.first])
  while (await prunePages(db, HOUR_MS));
  const { events } = (await walk(feed))!
  assert.deepEqual(
    events.map(({ sequence: number }) => BigInt(number ?? 0)),
    events.map((_, i) => BigInt(rows[0]!.first) + BigInt(i)),
  )
  assert.equal(events.length, 8)
})

test('E15: of a pet the oldest versions are removed, those that never came into the feed too', async () => {
  const add = (version: number) =>
    pool.query(
      `insert into events (pet_id, version, type, name, category_id) values ($1, $2, 'pet.updated', 'Rex', 1)`,
      [pet, version],
    )
  for (const version of [1, 2, 3, 4]) {
    await add(version)
    await sequence()
  }
  // As a dump has them that was made between a commit and its place in the feed.
  await pool.query('delete from feed_pages where pet_ids = array[$1::bigint] and versions = array[2::bigint]', [pet])
  await pool.query(
    `update feed_pages set at = now() - interval '1 year' where $1 <> all (pet_ids) or 4 <> all (versions)`,
    [pet],
  )
  const versions = async () => {
    const { rows } = await pool.query<{ version: string }>('select version from events where pet_id = $1 order by 1', [
      pet,
    ])
    return rows.map(({ version }) => Number(version))
  }
  while (await prunePages(db, HOUR_MS)) {
    const left = await versions()
    assert.deepEqual(
      left,
      left.map((_, i) => i + left[0]!),
      'dense from the first that is kept',
    )
  }
  assert.deepEqual(await versions(), [4])
})

test('of several processes one removes, and the others do nothing', async () => {
  await addPages(Array.from({ length: 30 }, () => 1))
  const before = (await kept()).pages
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => prunePages(db, HOUR_MS)))
  const removed = before - (await kept()).pages
  assert.equal(removed, Math.min(before - 1, 20 * outcomes.filter(Boolean).length))
})
