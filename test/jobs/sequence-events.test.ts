import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { SERVING_JOBS } from '../../src/jobs/serving.ts'
import { Feed } from '../../src/storage/events/feed.ts'
import { openPets, type Pets } from '../../src/storage/pets/pets.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { createDatabase } from '../support/database.ts'
import { DatabaseProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'

const { url, pool } = await createDatabase()

/** A process, as far as the feed is concerned. */
async function open(databaseUrl = url) {
  await using opened = new AsyncDisposableStack()
  const db = opened.use(new Database(databaseUrl, () => {}))
  const feed = opened.use(new Feed(db, databaseUrl))
  await feed.start()
  const metric = (name: string) => Number(feed.metrics.find((known) => known.name === `petstore_feed_${name}`)?.read())
  const round = () => SERVING_JOBS.sequenceEvents({ feed }).run(new AbortController().signal)
  const running = opened.move()
  return { pets: openPets(db), metric, round, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

const create = (pets: Pets, count: number) =>
  Promise.all(Array.from({ length: count }, () => pets.insert({ name: 'Rex', categoryId: 1n })))

/** The pets of all events in the feed, in its order. */
async function numbered() {
  const { rows } = await pool.query<{ id: string }>(
    'select id from feed_pages, unnest(pet_ids) with ordinality as pets (id, place) order by first, place',
  )
  return rows.map(({ id }) => BigInt(id))
}

test('every event gets one number, by whichever of several processes', async () => {
  await using one = await open()
  await using two = await open()
  const before = (await numbered()).length
  const created = (await create(one.pets, 2_500)).map(({ id }) => id)
  while ((await numbered()).length < before + 2_500) await Promise.all([one.round(), two.round()])
  assert.deepEqual(new Set((await numbered()).slice(before)), new Set(created))
  assert.equal(one.metric('events_total') + two.metric('events_total'), 2_500)
})

test('a transaction that stays open does not hold up the others, and its events come when it ends', async () => {
  await using process = await open()
  const client = await pool.connect()
  await client.query('begin')
  await client.query(`insert into events (pet_id, version, type) values (1000000, 1, 'pet.created')`)
  const [pet] = await create(process.pets, 1)
  await process.round()
  assert.equal((await numbered()).at(-1), pet!.id)
  await client.query('commit')
  client.release()
  await process.round()
  assert.equal((await numbered()).at(-1), 1_000_000n)
})

test('the lag of the feed is the time since all events had their numbers, also while a statement waits', async () => {
  await using process = await open()
  await process.round()
  assert.ok(process.metric('lag_seconds') < 0.5)
  const lock = await pool.connect()
  await lock.query('begin; lock table feed_pages')
  const stuck = process.round()
  await until(() => process.metric('lag_seconds') >= 0.7)
  await lock.query('rollback')
  lock.release()
  await stuck
  await process.round()
  assert.ok(process.metric('lag_seconds') < 0.5)
})

test('the lag of the feed grows while statements fail', async () => {
  await using process = await open()
  await process.round()
  await pool.query('alter table feed_pages add constraint broken check (false) not valid')
  await create(process.pets, 1)
  await until(() => process.metric('lag_seconds') >= 0.7)
  await assert.rejects(process.round(), pg.DatabaseError)
  assert.ok(process.metric('lag_seconds') >= 0.7)
  await pool.query('alter table feed_pages drop constraint broken')
  await process.round()
  assert.ok(process.metric('lag_seconds') < 0.5)
})

test('a process without its connection for the feed says so, and its lag grows', async () => {
  await using proxy = await DatabaseProxy.start(url)
  await using process = await open(proxy.url)
  assert.equal(process.metric('connected'), 1)
  await proxy.takeAway()
  await until(() => process.metric('connected') === 0)
  await until(() => process.metric('lag_seconds') >= 0.7)
  await process.round()
  assert.ok(process.metric('lag_seconds') >= 0.7)
  await proxy.bringBack()
  await until(() => process.metric('connected') === 1)
  await process.round()
  assert.ok(process.metric('lag_seconds') < 0.5)
})
