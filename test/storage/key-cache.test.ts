import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Database } from '../../src/storage/database.ts'
import { KeyCache } from '../../src/storage/key-cache.ts'
import { revoke } from '../../src/storage/key-changes.ts'
import type { Statement } from '../../src/storage/statement.ts'
import { createDatabase } from '../support/database.ts'
import { createTestKey } from '../support/factories.ts'
import { DatabaseProxy } from '../support/proxy.ts'

const { url, pool } = await createDatabase()

/** A cache on a database whose statements are counted, and can be held up on their way back. */
async function openCache(resources: AsyncDisposableStack, cacheUrl = url) {
  const db = resources.use(new Database(cacheUrl, () => {}))
  const counted = {
    statements: 0,
    holdUp: async () => {},
    async query<Row extends Record<string, unknown>>(statement: Statement) {
      counted.statements++
      const rows = await db.query<Row>(statement)
      await counted.holdUp()
      return rows
    },
  }
  const heard = Promise.withResolvers<void>()
  const cache = resources.use(new KeyCache(counted, cacheUrl, () => heard.resolve()))
  await cache.start()
  return { db, counted, cache, lost: heard.promise }
}

const revokeUnheard = (id: string) => pool.query('update api_keys set revoked_at = now() where id = $1', [id])

test('a key in use costs one look-up', async () => {
  await using resources = new AsyncDisposableStack()
  const { cache, counted } = await openCache(resources)
  const { key } = await createTestKey(pool)
  for (let i = 0; i < 10; i++) assert.ok(await cache.find(key))
  assert.equal(counted.statements, 1)
  assert.equal(await cache.find('unknown'), undefined)
})

test('a row is trusted for less than ten seconds, should a notification be lost', async () => {
  await using resources = new AsyncDisposableStack()
  const { cache } = await openCache(resources)
  const { id, key } = await createTestKey(pool)
  assert.equal((await cache.find(key))!.revokedAt, null)
  await revokeUnheard(id)
  assert.equal((await cache.find(key))!.revokedAt, null)
  const now = performance.now.bind(performance)
  const clock = mock.method(performance, 'now', () => now() + 9_000)
  try {
    assert.ok((await cache.find(key))!.revokedAt)
  } finally {
    clock.mock.restore()
  }
})

test('a row read before a change was announced is used, but not kept', async () => {
  await using resources = new AsyncDisposableStack()
  const { cache, counted, db } = await openCache(resources)
  const { id, key } = await createTestKey(pool)
  const other = await createTestKey(pool)
  counted.holdUp = async () => {
    counted.holdUp = async () => {}
    await revoke(db, id, 'tester@test')
    // Messages come in order: once this key is forgotten, the one before it has been heard too.
    await cache.find(other.key)
    await revoke(db, other.id, 'tester@test')
    while (!(await cache.find(other.key))!.revokedAt) await nextTurn()
  }
  assert.equal((await cache.find(key))!.revokedAt, null, 'read before the change')
  assert.ok((await cache.find(key))!.revokedAt, 'and read again')
})

test('nothing is trusted once the connection that hears of changes is lost', async () => {
  await using resources = new AsyncDisposableStack()
  const proxy = resources.use(await DatabaseProxy.start(url))
  const { cache, lost } = await openCache(resources, proxy.url)
  const { id, key } = await createTestKey(pool)
  assert.equal((await cache.find(key))!.revokedAt, null)
  await proxy.takeAway()
  await lost
  await revokeUnheard(id)
  await proxy.bringBack()
  assert.ok((await cache.find(key))!.revokedAt)
})
