import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import { Feed } from '../../src/storage/events/feed.ts'
import { prunePages } from '../../src/storage/events/pruner.ts'
import { openPets } from '../../src/storage/pets/pets.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { caller, openLogs, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createDatabase } from '../support/database.ts'
import { addPet, endOfFeed, eventsOf } from '../support/events.ts'
import { walk } from '../support/feed.ts'
import { until } from '../support/until.ts'

const WARNING = 'pets were added without events'

/** Adds pets as version 1.0.0 does, which knows no events. */
const addUnrecorded = (pool: pg.Pool, count = 1) =>
  pool.query(
    `insert into pets (id, name, category_id) select nextval('pets_id_seq'), 'Rex', 1 from generate_series(1, $1::int)`,
    [count],
  )

/** A process, as far as the feed is concerned. */
async function start(url: string, resources: AsyncDisposableStack) {
  const db = resources.use(new Database(url, () => {}))
  let epochs = 0
  const onUnrecorded = () => epochs++
  const feed = resources.use(new Feed(db, url, { onUnrecorded }))
  await feed.start()
  const pets = openPets(db)
  const add = async () => {
    const { sequence } = feed.head
    const { id } = await pets.insert({ name: 'Rex', categoryId: 1n })
    await until(async () => {
      await feed.sequence()
      return feed.head.sequence > sequence
    })
    return id
  }
  return { db, feed, add, epochs: () => epochs }
}

test('after a rollback the next start begins a new epoch, once, and processes that run hear of it', async () => {
  const { url, pool } = await createDatabase()
  await using own = new AsyncDisposableStack()
  const before = await start(url, own)
  await before.add()
  const position = before.feed.end
  await addUnrecorded(pool, 3)
  const next = await start(url, own)
  assert.equal(next.epochs(), 1)
  await until(() => before.feed.head.epoch === next.feed.head.epoch)
  for (const { feed } of [before, next]) assert.equal(await walk(feed, position), undefined)
  assert.deepEqual((await walk(next.feed))?.keys, [])
  const third = await start(url, own)
  assert.equal(third.epochs(), 0)
  const id = await next.add()
  assert.deepEqual((await walk(next.feed))?.keys, [`${id} 1`])
})

test('what the last process of the old version adds beside new ones is noticed by the start after it', async () => {
  const { url, pool } = await createDatabase()
  await using own = new AsyncDisposableStack()
  await (await start(url, own)).add()
  await addUnrecorded(pool)
  const first = await start(url, own)
  assert.equal(first.epochs(), 1)
  await addUnrecorded(pool)
  for (let i = 0; i < 3; i++) await first.add()
  const second = await start(url, own)
  assert.equal(second.epochs(), 1)
  assert.equal((await start(url, own)).epochs(), 0)
})

test('pets with events, whose events are no longer kept, or that an import has added are not taken for that', async () => {
  const { url, pool } = await createDatabase()
  await using own = new AsyncDisposableStack()
  await addUnrecorded(pool) // before the feed
  const { db, add } = await start(url, own)
  for (let i = 0; i < 3; i++) await add()
  assert.equal((await start(url, own)).epochs(), 0)
  await pool.query(`update feed_pages set at = now() - interval '1 year'`)
  while (await prunePages(db, 1_000));
  assert.equal((await pool.query('select from feed_pages')).rowCount, 1)
  assert.equal((await start(url, own)).epochs(), 0)
  await addUnrecorded(pool, 2)
  const ids = `select int8range(max(id) - 1, max(id), '[]') as ids from pets`
  await pool.query(`insert into import_ranges select 'unfinished', ids, 2 from (${ids}) as part`)
  assert.equal((await start(url, own)).epochs(), 0)
  await pool.query(`
    insert into events (pet_id, version, type, added, id_ranges)
    select 0, 1, 'pets.imported', 2, int8multirange(ids) from import_ranges; delete from import_ranges`)
  assert.equal((await start(url, own)).epochs(), 0)
  await pool.query('update events set id_ranges = null')
  assert.equal((await start(url, own)).epochs(), 0, 'an earlier version does not say which pets it has imported')
  await pool.query('delete from events where pet_id = 0')
  assert.equal((await start(url, own)).epochs(), 1)
})

test('a service that is started again after a rollback says so in the log, and cursors of before are 410', async () => {
  const app = await startApp()
  await addPet(app.call)
  const page = await endOfFeed(app)
  await app.service[Symbol.asyncDispose]()
  await addUnrecorded(app.pool)
  const { logs, logTo } = openLogs()
  const config = readConfig({ DATABASE_URL: app.url, PORT: '0', ADMIN_PORT: '0', DRAIN_DELAY: '0' })
  await using service = await startService(config, { logTo })
  const call = caller(service.address, app.key)
  assertError(await call(page), 410, 'cursor_expired')
  assert.deepEqual(eventsOf(await call('/v1/events')), [])
  assert.equal(logs.filter((line) => line.includes(WARNING)).length, 1)
})
