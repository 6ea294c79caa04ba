import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SERVING_JOBS } from '../../src/jobs/serving.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { LOCKS } from '../../src/storage/postgres/locks.ts'
import { createDatabase } from '../support/database.ts'

const { url, pool } = await createDatabase()
const db = new Database(url, () => {})
after(() => db[Symbol.asyncDispose]())
const round = () => SERVING_JOBS.pruneConsoleSessions(db).run(new AbortController().signal)

async function fill(count: number, ends: string, lastSeen = '0') {
  await pool.query(
    `insert into console_sessions (token_sha256, key_id, last_seen_at, ends_at)
     select sha256(gen_random_uuid()::text::bytea), 'key_1', now() - $3::interval, now() + $2::interval from generate_series(1, $1)`,
    [count, ends, lastSeen],
  )
}

async function left() {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from console_sessions')
  return rows[0]?.count
}

test('a round removes all sessions whose time is over, and no others', async () => {
  await pool.query('truncate console_sessions')
  await fill(2_500, '-1 second')
  await fill(3, '1 minute')
  await round()
  assert.equal(await left(), 3)
})

test('idle sessions stay until their time is over: their cookies are no guesses', async () => {
  await pool.query('truncate console_sessions')
  await fill(2, '1 hour', '3 hours')
  await round()
  assert.equal(await left(), 2)
})

test('while another process does it, nothing is done', async () => {
  await pool.query('truncate console_sessions')
  await fill(1, '-1 second')
  const other = await pool.connect()
  await other.query('select pg_advisory_lock($1)', [LOCKS.sessionPruner])
  await round()
  assert.equal(await left(), 1)
  await other.query('select pg_advisory_unlock($1)', [LOCKS.sessionPruner])
  other.release()
  await round()
  assert.equal(await left(), 0)
})
