import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireKey, limitKey, listKeyChanges, revokeKey, rotateKey } from '../../src/domain/key-changes.ts'
import { listKeys } from '../../src/domain/keys.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import type { Statement } from '../../src/storage/postgres/statement.ts'
import { createDatabase } from '../support/database.ts'
import { createTestKey } from '../support/factories.ts'

const { url, pool } = await createDatabase()
const WHO = 'tester@test'

test('a change whose response was lost is made once, recorded once, and still returned', async () => {
  await using db = new Database(url, () => {})
  // As when the database was lost on the way back, and the statement is sent again.
  const forgetful = {
    query: db.query.bind(db),
    writeOnce: db.writeOnce.bind(db),
    async write<Row extends Record<string, unknown>>(statement: Statement) {
      await db.write(statement)
      return db.write<Row>(statement)
    },
  }
  const context = { db: forgetful }
  const key = await createTestKey(pool)
  const expiresAt = new Date(Date.now() + 60_000)
  assert.deepEqual((await expireKey(context, WHO, key.id, expiresAt))!.expiresAt, expiresAt)
  const limit = { quota: 5, windowSeconds: 60 }
  assert.deepEqual((await limitKey(context, WHO, key.id, limit))!.rateLimit, limit)
  const made = (await rotateKey(context, WHO, key, 1_000))!
  assert.match(made.key, /^petk_test_/)
  assert.ok((await revokeKey(context, WHO, key.id))!.revokedAt)

  assert.deepEqual(
    (await listKeys({ db })).map(({ id, replacedBy }) => [id, replacedBy]),
    [
      [key.id, made.id],
      [made.id, null],
    ],
  )
  const changes = async (id: string) => (await listKeyChanges({ db }, id)).map(({ what }) => what)
  assert.deepEqual(await changes(key.id), ['created', 'expiry', 'limit', 'rotated', 'revoked'])
  assert.deepEqual(await changes(made.id), ['created'])
})
