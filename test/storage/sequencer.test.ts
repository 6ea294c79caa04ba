import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { FeedPosition } from '../../src/domain/types/event.ts'
import type { Feed } from '../../src/storage/events/feed.ts'
import { SEQUENCE_STATEMENT } from '../../src/storage/events/sequencer.ts'
import { createDatabase } from '../support/database.ts'
import { insertPets } from '../support/factories.ts'
import { changePet, connected, disordered, openFeed, sequencing, storedKeys, walk } from '../support/feed.ts'
import { serve } from '../support/process.ts'
import { until } from '../support/until.ts'

const WRITERS = 24
const TRANSACTIONS = 25

const { url, pool } = await createDatabase()
const pets = await insertPets(
  pool,
  Array.from({ length: 6 }, () => 'available'),
)
// What a reader relies on that keeps only the highest number it has seen.
await pool.query('create table naive (id bigserial primary key, key text)')

async function write(client: pg.Client) {
  for (let i = 0; i < TRANSACTIONS; i++) {
    await client.query('begin')
    const count = 1 + Math.floor(Math.random() * 2)
    const start = Math.floor(Math.random() * (pets.length - count + 1))
    // In the order of ids, so that no two wait for each other.
    for (const id of pets.slice(start, start + count)) {
      const key = await changePet(client, id)
      await client.query('insert into naive (key) values ($1)', [key])
      await sleep(Math.random() * 4)
    }
    await client.query(Math.random() < 0.2 ? 'rollback' : 'commit')
    await sleep(Math.random() * 10)
  }
}

/** Reads on and on, as a client that follows the feed. */
async function follow(feed: Feed, writing: AbortSignal, limit: number) {
  const keys: string[] = []
  const sequences: string[] = []
  let position: FeedPosition | undefined
  for (let isLast = false; !isLast; ) {
    isLast = writing.aborted
    const read = await walk(feed, position, limit)
    assert.ok(read, 'a position is in the feed for ever')
    keys.push(...read.keys)
    sequences.push(...read.events.map(({ sequence }) => sequence ?? ''))
    position = read.next
    if (!isLast) await sleep(5)
  }
  return { keys, sequences }
}

async function followNaively(writing: AbortSignal) {
  const keys: string[] = []
  let cursor = '0'
  for (let isLast = false; !isLast; ) {
    isLast = writing.aborted
    const { rows } = await pool.query<{ id: string; key: string }>('select * from naive where id > $1 order by id', [
      cursor,
    ])
    keys.push(...rows.map(({ key }) => key))
    cursor = rows.at(-1)?.id ?? cursor
    await sleep(5)
  }
  return keys
}

/** Adds to the feed without a pause, and returns how often another was faster. */
async function hammer(client: pg.Client, writing: AbortSignal) {
  let conflicts = 0
  while (!writing.aborted) {
    await client.query(SEQUENCE_STATEMENT).catch((error: unknown) => {
      assert.ok(error instanceof pg.DatabaseError && error.code === '23505', String(error))
      conflicts++
    })
    await sleep(1)
  }
  return conflicts
}

test('E2: of 24 concurrent writers with rollbacks every event is read exactly once, in dense numbers, by pet in order', async () => {
  await using resources = new AsyncDisposableStack()
  const feeds = [await openFeed(url, resources), await openFeed(url, resources)] as const
  const jobs = feeds.map((feed) => sequencing(feed, 5))
  const clients = await Promise.all(Array.from({ length: WRITERS }, () => connected(url, resources)))
  const sequencers = await Promise.all([connected(url, resources), connected(url, resources)])
  const done = new AbortController()
  const readers = [follow(feeds[0], done.signal, 7), follow(feeds[1], done.signal, 100)]
  const naive = followNaively(done.signal)
  const hammers = sequencers.map((client) => hammer(client, done.signal))
  await Promise.all(clients.map(write))

  const stored = await storedKeys(pool)
  const { rows: committed } = await pool.query<{ key: string }>('select key from naive')
  assert.deepEqual(new Set(stored), new Set(committed.map(({ key }) => key)))
  for (const feed of feeds) await untilHead(feed, BigInt(stored.length))
  done.abort()
  for (const reader of readers) {
    const { keys, sequences } = await reader
    assert.equal(keys.length, stored.length)
    assert.deepEqual(new Set(keys), new Set(stored))
    assert.deepEqual(disordered(keys), [])
    assert.deepEqual(
      sequences,
      sequences.map((_, i) => String(i + 1).padStart(16, '0')),
    )
  }
  const conflicts = (await Promise.all(hammers)).reduce((sum, each) => sum + each, 0)
  assert.ok(conflicts > 0, 'two sequencers met')
  const missed = stored.length - new Set(await naive).size
  assert.ok(missed > 0, 'the same load shows what a reader of a plain sequence misses')
  for (const job of jobs) await job[Symbol.asyncDispose]()
})

test('an event that is stored under a savepoint is in the feed, also if its transaction stays open for long', async () => {
  await using resources = new AsyncDisposableStack()
  const feed = await openFeed(url, resources)
  const start = feed.end
  const client = await connected(url, resources)
  const [first = 0n, second = 0n, third = 0n] = pets
  await client.query('begin; savepoint a')
  const keys = [await changePet(client, first)]
  await client.query('savepoint b')
  keys.push(await changePet(client, second))
  await client.query('rollback to a')
  keys.pop()
  keys[0] = await changePet(client, first)
  // A page whose snapshot has this transaction in progress.
  const other = await changePet(pool, third)
  await feed.sequence()
  await untilHead(feed, start.sequence + 1n)
  await client.query('release a; commit')
  await feed.sequence()
  await untilHead(feed, start.sequence + 2n)
  assert.deepEqual((await walk(feed, start))!.keys, [other, ...keys])
})

test('events of one pet are in the order of versions, whatever the clocks of primaries said', async () => {
  await using resources = new AsyncDisposableStack()
  const feed = await openFeed(url, resources)
  const { next } = (await walk(feed))!
  await pool.query(`
    insert into events (pet_id, version, type, name, category_id, at)
    select pet, version, 'pet.updated', 'Rex', 1, now() + (pet - version) * interval '1 minute'
    from generate_series(1001, 1003) as pet, generate_series(1, 9) as version`)
  await feed.sequence()
  await untilHead(feed, next.sequence + 27n)
  const { keys } = (await walk(feed, next))!
  assert.equal(keys.length, 27)
  assert.deepEqual(disordered(keys), [])
})

test('a round with more than a thousand events adds several pages, each with the token of the one before, and one message', async () => {
  await using resources = new AsyncDisposableStack()
  const feed = await openFeed(url, resources)
  const { next } = (await walk(feed))!
  const listener = await connected(url, resources)
  const messages: string[] = []
  listener.on('notification', ({ payload }) => messages.push(payload ?? ''))
  await listener.query('listen petstore_feed')
  await pool.query(`
    insert into events (pet_id, version, type, name, category_id)
    select 2000 + i, 1, 'pet.created', 'Rex', 1 from generate_series(1, 2500) as i`)
  await feed.sequence()
  await untilHead(feed, next.sequence + 2_500n)
  const { rows } = await pool.query<{ first: string; count: number; mark: string; mark_before: string }>(
    'select first, cardinality(pet_ids) as count, mark, mark_before from feed_pages where first > $1 order by first',
    [next.sequence],
  )
  assert.deepEqual(
    rows.map(({ first, count }) => [BigInt(first) - next.sequence, count]),
    [
      [1n, 1_000],
      [1_001n, 1_000],
      [2_001n, 500],
    ],
  )
  assert.deepEqual(
    rows.map(({ mark_before }) => mark_before),
    [String(next.pageToken), rows[0]!.mark, rows[1]!.mark],
  )
  await listener.query('select')
  assert.deepEqual(messages, [`${next.sequence + 2_500n} ${rows[2]!.mark} 0`])
  assert.equal((await walk(feed, next))!.keys.length, 2_500)
})

test('while the process that has the lock is stopped, another adds events within a second', async () => {
  const { child } = await serve(url)
  await until(
    async () => (await pool.query(`select from pg_locks where locktype = 'advisory' and granted`)).rowCount !== 0,
  )
  await using resources = new AsyncDisposableStack()
  const feed = await openFeed(url, resources)
  child.kill('SIGSTOP')
  const job = sequencing(feed)
  const delays: number[] = []
  for (let i = 0; i < 3; i++) {
    const { sequence } = feed.head
    await changePet(pool, pets[0]!)
    const begun = performance.now()
    await feed.wait(sequence, AbortSignal.timeout(5_000), { keyId: 'key_1', chainId: 'key_1' })
    assert.equal(feed.head.sequence, sequence + 1n)
    delays.push(performance.now() - begun)
  }
  child.kill('SIGCONT')
  await job[Symbol.asyncDispose]()
  assert.ok(Math.max(...delays) < 1_000, delays.join())
})

async function untilHead(feed: Feed, sequence: bigint) {
  await until(() => feed.head.sequence >= sequence)
}
