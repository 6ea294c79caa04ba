import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { hashToken, newSessionToken } from '../../src/lib/ids/session-token.ts'
import { KeyCache } from '../../src/storage/keys/cache.ts'
import { revoke } from '../../src/storage/keys/changes.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { DatabaseBusy } from '../../src/storage/postgres/failures.ts'
import { openSessions } from '../../src/storage/sessions/sessions.ts'
import { findAll, touch } from '../../src/storage/sessions/statements.ts'
import { createDatabase } from '../support/database.ts'
import { createTestKey } from '../support/factories.ts'

const { url, pool } = await createDatabase()
const db = new Database(url, () => {})
after(() => db[Symbol.asyncDispose]())
const sessions = openSessions(db)

const begin = async (keyId = 'key_1') => {
  const hash = hashToken(newSessionToken())
  await sessions.insert(hash, keyId, undefined)
  return hash
}
const set = (hash: string, assignment: string) =>
  pool.query(`update console_sessions set ${assignment} where token_sha256 = decode($1, 'hex')`, [hash])

test('tokens have 256 random bits, and no two are equal', () => {
  const tokens = Array.from({ length: 1_000 }, newSessionToken)
  assert.equal(new Set(tokens).size, 1_000)
  for (const token of tokens) assert.equal(Buffer.from(token, 'base64url').length, 32)
})

test('sessions are found together, each with its own state, by one statement', async () => {
  const [open, idle, over, due] = [await begin(), await begin(), await begin(), await begin()]
  await set(idle, `last_seen_at = now() - interval '61 minutes'`)
  await set(over, 'ends_at = now()')
  await set(due, `last_seen_at = now() - interval '61 seconds'`)
  const found = await findAll(db, [over, 'ab'.repeat(32), open, due, idle])
  assert.deepEqual(
    found.map((row) => row && [row.hasEnded, row.isDue]),
    [[true, false], undefined, [false, false], [false, true], [true, true]],
  )
})

test('a use is recorded only where it is due, and brings no session back', async () => {
  const [fresh, due, idle] = [await begin(), await begin(), await begin()]
  await set(fresh, `last_seen_at = now() - interval '30 seconds'`)
  await set(due, `last_seen_at = now() - interval '2 minutes'`)
  await set(idle, `last_seen_at = now() - interval '61 minutes'`)
  await touch(db, [fresh, due, idle])
  const { rows } = await pool.query<{ seconds: number }>(
    `select extract(epoch from now() - last_seen_at)::int as seconds
     from unnest($1::text[]) with ordinality as wanted (hash, place)
     join console_sessions on token_sha256 = decode(hash, 'hex') order by place`,
    [[fresh, due, idle]],
  )
  const [a, b, c] = rows.map(({ seconds }) => seconds)
  assert.ok(a! >= 30 && b! < 30 && c! >= 3_660, JSON.stringify(rows))
})

test('beyond a bound, look-ups are turned away at once', async () => {
  const all = Array.from({ length: 1_200 }, () => sessions.find(hashToken(newSessionToken())))
  const outcomes = await Promise.allSettled(all)
  const busy = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
  assert.equal(busy.length, 200)
  assert.ok(busy.every(({ reason }) => reason instanceof DatabaseBusy))
})

test('a session that was seen lately does not wait behind tokens that were made up', async () => {
  const hash = await begin()
  await set(hash, `last_seen_at = now() - interval '61 minutes'`)
  // Ended, so it is one of the others.
  assert.equal((await sessions.find(hash))?.hasEnded, true)
  await set(hash, 'last_seen_at = now()')
  assert.equal((await sessions.find(hash))?.hasEnded, false)
  const unknown = Array.from({ length: 1_000 }, () => sessions.find(hashToken(newSessionToken())))
  const [found, one] = [sessions.find(hash), sessions.find(hashToken(newSessionToken()))]
  await assert.rejects(one, DatabaseBusy)
  assert.equal((await found)?.hasEnded, false)
  await Promise.all(unknown)
})

test('however often somebody signs in, a key has a thousand sessions at most, with those that have ended', async () => {
  await pool.query(
    `insert into console_sessions (token_sha256, key_id, created_at, ends_at)
     select sha256(('many ' || place)::bytea), 'key_many', now() - place * interval '1 second', now() + interval '1 hour'
     from generate_series(1, 1200) as place`,
  )
  const hash = await begin('key_many')
  const { rows } = await pool.query(
    `select count(*)::int as kept, count(*) filter (where last_seen_at > '-infinity')::int as open
     from console_sessions where key_id = 'key_many'`,
  )
  assert.deepEqual(rows, [{ kept: 1_000, open: 100 }])
  assert.equal((await sessions.find(hash))?.hasEnded, false)
})

test('a look-up, a use and a sign-in read few rows of many', async () => {
  await pool.query(
    `insert into console_sessions (token_sha256, key_id, ends_at)
     select sha256(place::text::bytea), 'key_' || place / 50, now() + interval '1 hour' from generate_series(1, 100000) as place`,
  )
  await pool.query('analyze console_sessions')
  const hash = await begin()
  await set(hash, `last_seen_at = now() - interval '2 minutes'`)
  const read = async () => {
    await pool.query('select pg_stat_force_next_flush()')
    const { rows } = await pool.query<{ scans: number }>(
      `select seq_scan::int as scans from pg_stat_user_tables where relname = 'console_sessions'`,
    )
    return rows[0]?.scans
  }
  const other = new Database(url, () => {})
  const fresh = openSessions(other)
  const before = await read()
  await fresh.find(hash)
  await touch(other, [hash])
  await fresh.insert(hashToken(newSessionToken()), 'key_7', hash)
  await other[Symbol.asyncDispose]()
  assert.equal(await read(), before)
})

test('the key of a session is cached by its id, and forgotten when it changes', async () => {
  await using keys = new KeyCache(db, url, () => {})
  await keys.start()
  const made = await createTestKey(pool)
  assert.ok(keys.findById(made.id) instanceof Promise)
  assert.equal((await keys.findById(made.id))?.id, made.id)
  const cached = keys.findById(made.id)
  assert.ok(cached !== undefined && !(cached instanceof Promise))
  // An id is no secret: it must never work as a key.
  assert.equal(await keys.find(made.id), undefined)
  await revoke(db, made.id, 'tester@test')
  while (!(await keys.findById(made.id))?.revokedAt) await nextTurn()
  assert.equal(await keys.findById('key_none'), undefined)
})
