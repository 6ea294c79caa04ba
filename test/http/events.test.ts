import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prunePages } from '../../src/storage/events/pruner.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { addPet, endOfFeed, eventsOf, follow, nextOf, sequenceOf } from '../support/events.ts'
import { until } from '../support/until.ts'

const { call, pool, url } = await startApp()

const now = () => endOfFeed({ call, pool })
const newPet = () => addPet(call)

test('E7: a cursor older than what is kept is 410; one exactly before it is 200', async () => {
  for (let i = 0; i < 5; i++) await newPet()
  await now()
  // In another page of the feed: the last one is never removed.
  for (let i = 0; i < 5; i++) await newPet()
  await now()
  const { events } = await follow(call, '/v1/events?limit=100')
  const cursors: string[] = []
  for (let next = '/v1/events?limit=1', i = 0; i < events.length; i++) {
    next = nextOf(await call(next))
    cursors.push(next)
  }
  // The first page of the feed that has events, and the one before.
  const { rows } = await pool.query<{ first: string; count: number }>(
    `select first, cardinality(pet_ids) as count from feed_pages where first > 0 order by first limit 1`,
  )
  const count = rows[0]!.count
  await pool.query(`update feed_pages set at = now() - interval '1 year' where first <= $1`, [rows[0]!.first])
  await using db = new Database(url, () => {})
  // Unless the service itself is doing it now.
  await prunePages(db, 3_600_000)
  const old = 'select from feed_pages where first > 0 and first <= $1'
  await until(async () => (await pool.query(old, [rows[0]!.first])).rowCount === 0)
  assert.equal(await prunePages(db, 3_600_000), false)
  const kept = eventsOf(await call(cursors[count - 1]!))
  assert.deepEqual(kept, [events[count]])
  for (const path of cursors.slice(0, count - 1)) assertError(await call(path), 410, 'cursor_expired')
  assert.deepEqual((await follow(call, '/v1/events?limit=100')).events, events.slice(count))
})

test('E10: a page looks at a thousand events at most; with types it may be empty and have a next', async () => {
  const start = await now()
  const first = await newPet()
  await pool.query(
    `insert into events (pet_id, version, type, name, category_id)
     select 1000000 + i, 1, 'pet.updated', 'Rex', 7 from generate_series(1, 1500) as i`,
  )
  const last = await newPet()
  await now()
  const path = `${start}&limit=2&type=pet.created,pet.deleted`
  const pages: { path: string; ids: (bigint | undefined)[] }[] = []
  for (let next = path; pages.length < 3; next = pages.at(-1)!.path) {
    const page = await call(next)
    pages.push({ path: nextOf(page), ids: eventsOf(page).map(({ data }) => data.pet?.id) })
  }
  const steps = pages.map(({ path: next, ids }) => ({ looked: sequenceOf(next) - sequenceOf(start), ids }))
  assert.deepEqual(steps, [
    { looked: 1_000n, ids: [first] },
    { looked: 1_502n, ids: [last] },
    { looked: 1_502n, ids: [] },
  ])
  assert.match(pages[0]!.path, /limit=2&type=pet\.created%2Cpet\.deleted&cursor=/)
  const rare = await call(`${start}&type=order.expired`)
  assert.deepEqual([eventsOf(rare), sequenceOf(nextOf(rare)) - sequenceOf(start)], [[], 1_000n])
})

test('E12: every digit of what only an import or a long life can reach is kept', async () => {
  const start = await now()
  await pool.query(
    `insert into events (pet_id, version, type, added) values (0, 1, 'pets.imported', 9223372036854775807);
     insert into events (pet_id, version, type, name, category_id) values
       (9007199254740991, 140737488355328, 'pet.updated', 'Rex', 7)`,
  )
  await now()
  const { text } = await call(start)
  assert.match(text, /"subject":"pets",.*"data":\{"added":9223372036854775807\}/)
  assert.match(text, /"subject":"pets\/9007199254740991",.*"id":9007199254740991,.*"version":140737488355328\}/)
})
