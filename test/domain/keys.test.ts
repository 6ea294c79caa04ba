import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { authenticate } from '../../src/domain/keys.ts'
import { KeyCache } from '../../src/storage/keys/cache.ts'
import { touch } from '../../src/storage/keys/keys.ts'
import { openKeyUses } from '../../src/storage/keys/uses.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import type { Statement } from '../../src/storage/postgres/statement.ts'
import { createDatabase } from '../support/database.ts'
import { createTestKey } from '../support/factories.ts'

const { url, pool } = await createDatabase()

test('however many processes ask, the use of a key is written at most once a minute', async () => {
  await using db = new Database(url, () => {})
  const { id } = await createTestKey(pool)
  const lastUsed = async () => {
    const { rows } = await pool.query<{ ago: number | null }>(
      'select extract(epoch from now() - last_used_at)::float8 as ago from api_keys where id = $1',
      [id],
    )
    return rows[0]!.ago
  }
  await touch(db, [id])
  assert.ok((await lastUsed())! < 5, 'the first use is written')
  for (const [seconds, isWritten] of [
    [55, false],
    [61, true],
  ] as const) {
    await pool.query(`update api_keys set last_used_at = now() - make_interval(secs => $2) where id = $1`, [
      id,
      seconds,
    ])
    await touch(db, [id])
    assert.equal((await lastUsed())! < 5, isWritten, `${seconds} s after the last`)
  }
})

test('one process asks for it at most once a minute', async () => {
  await using db = new Database(url, () => {})
  const touched: string[] = []
  const counted = {
    query: db.query.bind(db),
    writeOnce: db.writeOnce.bind(db),
    async write<Row extends Record<string, unknown>>(statement: Statement) {
      if (statement.name === 'keys.touch') touched.push(statement.name)
      return db.write<Row>(statement)
    },
  }
  const keyUses = openKeyUses(counted)
  await using keys = new KeyCache(db, url, () => {})
  await keys.start()
  const { key } = await createTestKey(pool)
  for (let i = 0; i < 5; i++) await authenticate({ keys, keyUses }, key)
  await nextTurn()
  assert.equal(touched.length, 1)
})
