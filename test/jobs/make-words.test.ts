import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { SERVING_JOBS } from '../../src/jobs/serving.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { migrate } from '../../src/storage/postgres/migrate.ts'
import { openWords } from '../../src/storage/search/words.ts'
import { startApp } from '../support/app.ts'
import { createDatabase } from '../support/database.ts'
import { addPet } from '../support/events.ts'
import { compareWords, NOTHING } from '../support/pet-words.ts'
import { petstore } from '../support/process.ts'
import { releasedMigrations } from '../support/released-migrations.ts'
import { until } from '../support/until.ts'

/** Adds pets as version 1.0.0 does, by requests and by an import. */
async function addAsReleased(pool: pg.Pool, count: number) {
  await pool.query(
    `insert into pets (id, name, category_id, status) select nextval('pets_id_seq'), 'Pet ' || i, 1, null from generate_series(1, $1::int) as i`,
    [count],
  )
  await pool.query(
    `insert into pets (name, category_id) select 'Imported ' || i, 1 from generate_series(1, $1::int) as i`,
    [count],
  )
}

const areComplete = async (pool: pg.Pool) => (await compareWords(pool)).missing.length === 0

test('pets of version 1.0.0 get their words after an upgrade, also those that it adds beside this version', async () => {
  const { url, pool } = await createDatabase({ empty: true })
  await migrate(url, { directory: releasedMigrations() })
  await addAsReleased(pool, 600)
  await migrate(url)
  await addAsReleased(pool, 600)
  await startApp({ databaseUrl: url })
  await until(() => areComplete(pool))
  await until(async () => (await pool.query('select from word_ranges')).rowCount === 0)

  await addAsReleased(pool, 600)
  // Two seconds are enough, but for a busy machine.
  await until(() => areComplete(pool), 10_000)
  await until(async () => (await pool.query('select from pets where not worded')).rowCount === 0)
  assert.deepEqual(await compareWords(pool), NOTHING)
})

test('imported pets are found when the import is stored, also while others are added', async () => {
  const { url, pool, call } = await startApp()
  const lines = Array.from({ length: 3_000 }, (_, i) => JSON.stringify({ name: `Momo ${i}`, categoryId: 1 }))
  const adding = Promise.all(Array.from({ length: 20 }, () => addPet(call)))
  const { code, stderr } = await petstore(['import', '-'], { DATABASE_URL: url }, `${lines.join('\n')}\n`)
  assert.equal(code, 0, stderr)
  await adding
  await until(() => areComplete(pool))
  assert.equal((await pool.query('select from pets where not worded')).rowCount, 0)
})

test('the job ends when it is told to, and pauses as long as it works', async () => {
  let rounds = 0
  const advance = async () => ({ hasMore: ++rounds < 100, failure: undefined })
  await SERVING_JOBS.makeWords({ words: { advance } }).run(AbortSignal.abort())
  assert.equal(rounds, 1)
  await SERVING_JOBS.makeWords({ words: { advance } }).run(new AbortController().signal)
  assert.equal(rounds, 100)
})

test('while a part fails, the job does the rest, and reports the failure about every second', async () => {
  const failure = new Error('a part')
  let rounds = 0
  const failing = SERVING_JOBS.makeWords({ words: { advance: async () => ({ hasMore: ++rounds < 20, failure }) } })
  await assert.rejects(failing.run(new AbortController().signal), failure)
  assert.equal(rounds, 20)
  const endless = SERVING_JOBS.makeWords({ words: { advance: async () => ({ hasMore: true, failure }) } })
  const began = performance.now()
  await assert.rejects(endless.run(new AbortController().signal), failure)
  assert.ok(performance.now() - began >= 1_000)
})

/** What docs/operations.md promises for pets that a version without words adds beside this one. */
const FOUND_WITHIN_MS = 2_000
/** A part of them takes a hundredth of that on a machine that is not busy. */
const PART_MS = 1_000

test('pets of a version without words are found within two seconds: the job comes by in time, and they come first', async () => {
  const {
    intervalMs,
    firstMs = intervalMs,
    hasJitter = false,
  } = SERVING_JOBS.makeWords({
    words: { advance: async () => ({ hasMore: false, failure: undefined }) },
  })
  assert.ok(!hasJitter && Math.max(firstMs, intervalMs) + PART_MS <= FOUND_WITHIN_MS)
  const { url, pool } = await createDatabase()
  await using db = new Database(url, () => {})
  await addAsReleased(pool, 100)
  await pool.query('insert into word_ranges (last_id, reached) values (1000000, 500000)')
  await openWords(db, db.background).advance()
  assert.ok(await areComplete(pool))
})
