import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { generateKey } from '../../src/lib/ids/key-format.ts'
import { KeyCache } from '../../src/storage/keys/cache.ts'
import { revoke } from '../../src/storage/keys/changes.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { DatabaseBusy } from '../../src/storage/postgres/failures.ts'
import type { Statement } from '../../src/storage/postgres/statement.ts'
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
  await cache.find(other.key)
  counted.holdUp = async () => {
    counted.holdUp = async () => {}
    await revoke(db, id, 'tester@test')
    // Messages come in order: once this key is forgotten, the one before it has been heard too.
    await revoke(db, other.id, 'tester@test')
    while (cache.isCached(other.key)) await nextTurn()
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

test('keys that arrive together are looked up together, and a key that does not exist only once', async () => {
  await using resources = new AsyncDisposableStack()
  const { cache, counted } = await openCache(resources)
  const { key } = await createTestKey(pool)
  const forged = Array.from({ length: 250 }, () => generateKey('live'))
  const found = await Promise.all([...forged, key].map(async (text) => await cache.find(text)))
  assert.deepEqual(
    found.map((row) => row !== undefined),
    [...forged.map(() => false), true],
  )
  assert.equal(counted.statements, 3, 'a hundred at a time')
  for (const text of forged) assert.equal(cache.find(text), undefined)
  assert.equal(counted.statements, 3)
})

test('a key that was not found is looked up again some seconds later', async () => {
  await using resources = new AsyncDisposableStack()
  const { cache, counted } = await openCache(resources)
  const forged = generateKey('live')
  assert.equal(await cache.find(forged), undefined)
  const now = performance.now.bind(performance)
  const clock = mock.method(performance, 'now', () => now() + 5_000)
  try {
    assert.equal(await cache.find(forged), undefined)
  } finally {
    clock.mock.restore()
  }
  assert.equal(counted.statements, 2)
})

test('no more than a thousand requests wait for their keys', async () => {
  await using resources = new AsyncDisposableStack()
  const { cache, counted } = await openCache(resources)
  const held = Promise.withResolvers<void>()
  counted.holdUp = () => held.promise
  const waiting = Array.from({ length: 1_000 }, async () => await cache.find(generateKey('live')))
  await assert.rejects(Promise.resolve(cache.find(generateKey('live'))), DatabaseBusy)
  held.resolve()
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set([undefined]))
})

test('a key in use is read again apart from made-up ones, however many of those wait', async () => {
  await using resources = new AsyncDisposableStack()
  const { cache, counted } = await openCache(resources)
  const { key } = await createTestKey(pool)
  assert.ok(await cache.find(key))
  const held = Promise.withResolvers<void>()
  counted.holdUp = () => held.promise
  const waiting = Array.from({ length: 1_000 }, async () => await cache.find(generateKey('live')))
  while (counted.statements < 2) await nextTurn()
  counted.holdUp = async () => {}
  const now = performance.now.bind(performance)
  const clock = mock.method(performance, 'now', () => now() + 9_000)
  try {
    assert.equal(cache.isCached(key), false)
    assert.ok(await cache.find(key))
  } finally {
    clock.mock.restore()
    held.resolve()
  }
  await Promise.all(waiting)
})
