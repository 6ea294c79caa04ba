import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { EmbeddedPostgres } from '../../src/cli/dev/embedded-postgres.ts'
import type { FeedPosition } from '../../src/domain/types/event.ts'
import type { Feed } from '../../src/storage/events/feed.ts'
import { createDatabase } from '../support/database.ts'
import { insertPets } from '../support/factories.ts'
import { changePet, connected, openFeed, openPool, startCluster, storedKeys, walk } from '../support/feed.ts'
import { until } from '../support/until.ts'

const resources = new AsyncDisposableStack()
after(() => resources.disposeAsync())
const second = await startCluster(resources)

const run = promisify(execFile)

/** Pets, with an event for each change, all of them in the feed but for the last one. */
async function fill(pool: pg.Pool, feed: Feed) {
  const pets = await insertPets(pool, ['sold', 'sold', 'sold'])
  const positions: FeedPosition[] = []
  for (let i = 0; i < 4; i++) {
    for (const id of pets) await changePet(pool, id)
    await sequence(feed, pool)
    positions.push((await walk(feed, undefined, 5))!.next)
  }
  await changePet(pool, pets[0]!)
  return { pets, positions }
}

/** Gives all events their numbers, as the process that has the lock does. */
async function sequence(feed: Feed, pool: pg.Pool) {
  await feed.sequence()
  const { rows } = await pool.query<{ head: string }>(
    'select first + greatest(cardinality(pet_ids), 1) - 1 as head from feed_pages order by first desc limit 1',
  )
  await until(() => feed.head.sequence >= BigInt(rows[0]!.head))
}

const TABLES = ['pets', 'events', 'feed_pages']

/** What pg_dump and pg_restore do with the data: one snapshot, copied into tables that were just created. */
async function copyInto(target: string, source: string) {
  await using own = new AsyncDisposableStack()
  const [reader, writer] = [await connected(source, own), await connected(target, own)]
  await reader.query('begin isolation level repeatable read')
  await writer.query(`truncate ${TABLES.join(', ')}`)
  for (const table of TABLES)
    await pipeline(reader.query(to(`copy ${table} to stdout`)), writer.query(from(`copy ${table} from stdin`)))
  await writer.query(`select setval('pets_id_seq', (select max(id) from pets))`)
}

/** Lets transactions pass, until their ids are beyond all that the restored events have. */
async function passTransactions(pool: pg.Pool) {
  await pool.query(`
    do $$ begin
      while pg_current_xact_id() <= (select max(transaction::text::bigint) + 50 from events)::text::xid8 loop
        perform pg_current_xact_id(); commit;
      end loop;
    end $$`)
}

async function assertNewEpoch(
  url: string,
  pool: pg.Pool,
  old: { pets: bigint[]; positions: FeedPosition[]; head: bigint },
) {
  await using own = new AsyncDisposableStack()
  const restored = await storedKeys(pool)
  const feed = await openFeed(url, own)
  for (const position of old.positions)
    assert.equal(await walk(feed, position), undefined, 'a cursor of before is not valid')
  const start = feed.end
  assert.deepEqual(await walk(feed), { keys: [], events: [], next: start }, 'the feed begins again')
  const added: string[] = []
  for (let round = 0; round < 3; round++) {
    for (const id of old.pets) added.push(await changePet(pool, id))
    await sequence(feed, pool)
    await sequence(feed, pool) // finds nothing
    if (round === 1) await passTransactions(pool)
  }
  const { keys, events } = (await walk(feed, start, 4))!
  assert.deepEqual(keys.toSorted(), added.toSorted(), 'each new event once, and none of before')
  assert.deepEqual(
    events.map((event) => BigInt(event.sequence ?? 0)),
    events.map((_, i) => start.sequence + 1n + BigInt(i)),
  )
  assert.ok(start.sequence > old.head, 'no number is used again')
  for (const position of old.positions) assert.equal(await walk(feed, position), undefined)
  assert.equal((await storedKeys(pool)).length, restored.length + added.length, 'histories are kept')
  // Another process finds the same epoch, and begins none of its own.
  const other = await openFeed(url, own)
  assert.deepEqual(other.head, feed.head)
}

test('E8: after a dump is restored into another cluster, with higher or lower transaction ids, old cursors are not valid', async () => {
  const { url, pool } = await createDatabase()
  await using own = new AsyncDisposableStack()
  const feed = await openFeed(url, own)
  const old = { ...(await fill(pool, feed)), head: feed.head.sequence }
  await copyInto(second.url, url)
  await assertNewEpoch(second.url, second.pool, old)

  const feedThere = await openFeed(second.url, own)
  const there = { pets: old.pets, positions: [...old.positions, feedThere.end], head: feedThere.head.sequence }
  const back = await createDatabase()
  await copyInto(back.url, second.url)
  await assertNewEpoch(back.url, back.pool, there)
})

test('E8: after a dump is restored into another database of the same cluster, old cursors are not valid', async () => {
  const { url, pool } = await createDatabase()
  await using own = new AsyncDisposableStack()
  const feed = await openFeed(url, own)
  const old = { ...(await fill(pool, feed)), head: feed.head.sequence }
  const copy = await createDatabase()
  await copyInto(copy.url, url)
  await assertNewEpoch(copy.url, copy.pool, old)
})

test('E8: after a restore to an earlier moment, cursors of later are refused, even when their numbers are taken again', async () => {
  const { directory, server, url, pool } = await startCluster(resources)
  const before = new AsyncDisposableStack()
  const feed = await openFeed(url, before)
  const { pets, positions } = await fill(pool, feed)
  await before.disposeAsync()
  await server[Symbol.asyncDispose]()
  const moment = join(directory, 'moment')
  await mkdir(moment)
  // With its owner, who is not always the one of this process.
  await run('cp', ['-a', join(directory, 'data'), join(directory, 'password'), moment])

  await using own = new AsyncDisposableStack()
  const lost = await (async () => {
    await using later = new AsyncDisposableStack()
    const again = later.use(await EmbeddedPostgres.start(directory))
    const laterPool = openPool(again.url, later)
    const laterFeed = await openFeed(again.url, later)
    for (const id of pets) await changePet(laterPool, id)
    await sequence(laterFeed, laterPool)
    const { events, next } = (await walk(laterFeed, positions.at(-1)))!
    const inside = (await laterFeed.list({ after: positions.at(-1), limit: 2 }))!.next
    return { ids: events.map(({ id }) => id), positions: [inside, next] }
  })()

  const restored = own.use(await EmbeddedPostgres.start(moment))
  const restoredPool = openPool(restored.url, own)
  const restoredFeed = await openFeed(restored.url, own)
  for (const position of lost.positions) assert.equal(await walk(restoredFeed, position), undefined)
  for (const position of positions)
    assert.ok(await walk(restoredFeed, position), 'what was before that moment is valid')
  for (let round = 0; round < 3; round++) {
    for (const id of pets) await changePet(restoredPool, id)
    await sequence(restoredFeed, restoredPool)
  }
  assert.ok(restoredFeed.head.sequence > lost.positions[1]!.sequence)
  for (const position of lost.positions) assert.equal(await walk(restoredFeed, position), undefined)
  const { events } = (await walk(restoredFeed, positions.at(-1)))!
  assert.equal(events.length, 10)
  assert.deepEqual(
    events.map(({ id }) => id).filter((id) => lost.ids.includes(id) && !isSame(id)),
    [],
  )

  /** The event that was stored and not yet in the feed at that moment is the same one in both. */
  function isSame(id: string) {
    return id === lost.ids[0] && id === events[0]!.id
  }
})
