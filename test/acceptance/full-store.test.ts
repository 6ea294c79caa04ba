import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCKS } from '../../src/storage/postgres/locks.ts'
import { startApp } from '../support/app.ts'
import { insertCategories } from '../support/categories.ts'
import { petstore } from '../support/process.ts'

interface Result {
  clauses: { id: string; passed: boolean; detail?: string }[]
}

test('the clauses hold on a service with more names of categories than it searches, and while words are being made', async () => {
  const { address, key, pool } = await startApp()
  await insertCategories(
    pool,
    Array.from({ length: 1_001 }, (_, i) => `Category ${i}`),
  )
  // The job that makes words waits for its lock.
  const client = await pool.connect()
  await client.query('select pg_advisory_lock($1)', [LOCKS.words])
  await client.query('insert into word_ranges (last_id, reached) values (1000, 0)')
  const only = ['categories', 'search.complete'].flatMap((text) => ['--only', text])
  const { stdout } = await petstore(
    ['verify', '--base-url', `${address}/v1`, '--profile', 'store', '--json', ...only],
    { PETSTORE_KEY: key },
  )
  client.release(true)
  const { clauses } = JSON.parse(stdout) as Result
  assert.deepEqual(
    clauses.flatMap(({ id, passed, detail }) => (passed ? [] : `${id}: ${detail}`)),
    [],
  )
  for (const id of ['search.complete', 'categories.search', 'categories.walk.100', 'categories.walk.all'])
    assert.ok(clauses.some((clause) => clause.id === id))
})
