import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SERVING_JOBS } from '../../src/jobs/serving.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { createDatabase } from '../support/database.ts'

const DAY_MS = 86_400_000
const { url, pool } = await createDatabase()
const db = new Database(url, () => {})
after(() => db[Symbol.asyncDispose]())
const job = SERVING_JOBS.pruneEvents({ background: db.background, eventsRetentionMs: DAY_MS })
const round = (signal = new AbortController().signal) => job.run(signal)

/** Replaces the feed by pages of this age, each with as many events; the pets are numbered as the events are. */
async function fill(pages: { events: number; days: number }[]) {
  await pool.query('truncate events, feed_pages')
  let first = 1
  for (const { events, days } of pages) {
    await pool.query(
      `with page as (
         insert into feed_pages (first, pet_ids, versions, snapshot, mark, epoch, system, at)
         select $1, array_agg(id), array_agg(1), pg_current_snapshot(), 1, 0, 0, now() - $3 * interval '1 day'
         from generate_series($1::bigint, $1 + $2::bigint - 1) as id returning pet_ids)
       insert into events (pet_id, version, type) select unnest(pet_ids), 1, 'pet.created' from page`,
      [first, events, days],
    )
    first += events
  }
}

async function kept() {
  const { rows } = await pool.query<{ pages: number[]; events: number; oldest: number }>(`
    select array(select first::int from feed_pages order by first) as pages,
           count(*)::int as events, min(pet_id)::int as oldest from events`)
  return rows[0]!
}

test('a round removes all pages that are old enough with their events, and no others', async () => {
  await fill([...Array.from({ length: 50 }, () => ({ events: 200, days: 2 })), { events: 200, days: 0.9 }])
  await round()
  assert.deepEqual(await kept(), { pages: [10_001], events: 200, oldest: 10_001 })
})

test('the last page stays, however old it is: it has the number that comes next', async () => {
  await fill([
    { events: 10, days: 9 },
    { events: 10, days: 9 },
  ])
  await round()
  assert.deepEqual(await kept(), { pages: [11], events: 10, oldest: 11 })
})

test('a service that shuts down ends its round between two parts', async () => {
  await fill([...Array.from({ length: 50 }, () => ({ events: 1, days: 2 })), { events: 1, days: 0 }])
  await round(AbortSignal.abort())
  const { pages } = await kept()
  assert.ok(pages.length > 1 && pages.length < 51, String(pages.length))
})

test('one process at a time prunes', async () => {
  await fill([
    { events: 10, days: 2 },
    { events: 10, days: 0 },
  ])
  const other = await pool.connect()
  await other.query('begin; select pg_advisory_xact_lock(7377301120)')
  await round()
  assert.equal((await kept()).events, 20)
  await other.query('rollback')
  other.release()
  await round()
  assert.equal((await kept()).events, 10)
})
