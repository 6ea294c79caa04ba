import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Feed } from '../../src/storage/events/feed.ts'
import { HEAD_STATEMENT, type Head, parseHead, SEQUENCE_STATEMENT } from '../../src/storage/events/sequencer.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { createDatabase } from '../support/database.ts'

const { url, pool } = await createDatabase()

/** Adds an event and gives it its number, as another process would whose notification has not arrived. Returns where the feed ends. */
async function addUnheard(petId: number): Promise<Head> {
  await pool.query(
    `insert into events (pet_id, version, type, name, category_id) values ($1, 1, 'pet.created', 'Rex', 1)`,
    [petId],
  )
  const silent = SEQUENCE_STATEMENT.text.replace('pg_notify(', 'concat(')
  assert.notEqual(silent, SEQUENCE_STATEMENT.text)
  await pool.query(silent)
  const { rows } = await pool.query<{ head: string }>(HEAD_STATEMENT)
  return parseHead(rows[0]!.head)!
}

test('a position that another process has shown is valid before this process is notified of it', async () => {
  await using db = new Database(url, () => {})
  await using feed = new Feed(db, url)
  await feed.start()
  const { sequence, pageToken } = await addUnheard(1)
  assert.ok(feed.head.sequence < sequence)
  const { events, isLast, next } = (await feed.list({ after: { sequence, pageToken }, limit: 10 }))!
  assert.deepEqual({ events, isLast, next }, { events: [], isLast: true, next: { sequence, pageToken } })
  assert.equal(feed.head.sequence, sequence)
})

test('a position beyond the end of the feed is not valid, whatever its token and however large', async () => {
  await using db = new Database(url, () => {})
  await using feed = new Feed(db, url)
  await feed.start()
  const { sequence, pageToken } = await addUnheard(2)
  for (const beyond of [sequence + 1n, 2n ** 63n - 1n, -1n, -(2n ** 63n)])
    assert.equal(await feed.list({ after: { sequence: beyond, pageToken }, limit: 10 }), undefined, String(beyond))
})
