import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPetstore, type ListedKey } from '../src/index.ts'
import { json, KEY, startFaulty } from './support/faulty.ts'
import { startService } from './support/service.ts'

const { baseUrl, key } = await startService()

test('a key returns its scopes and its expiry', async () => {
  const { id, createdAt, scopes, ...own } = await createPetstore({ baseUrl, key }).keys.self()
  assert.match(id, /^key_/)
  assert.ok(Math.abs(Date.now() - Date.parse(createdAt)) < 600_000)
  assert.deepEqual(own, { name: 'dev', mode: 'test', expiresAt: null })
  assert.deepEqual(scopes.slice(0, 2), ['pets:read', 'pets:write'])
})

test('all keys are listed, page by page, with exact counts', async () => {
  const { keys } = createPetstore({ baseUrl, key })
  const own = await keys.self()
  const first = await keys.list({ limit: 1 }).page()
  assert.equal(first.keys.length, 1)
  const all: ListedKey[] = []
  for await (const each of keys.list({ limit: 1 })) all.push(each)
  assert.deepEqual(all[0], first.keys[0])
  const listed = all.find(({ id }) => id === own.id)
  assert.deepEqual([listed?.state, listed?.openOrders, listed?.deprecatedCalls], ['active', 0, 0n])

  const exact = await startFaulty(json(200, '[{"id":"key_1","scopes":[],"deprecatedCalls":9007199254740993}]'))
  const page = await createPetstore({ baseUrl: exact.baseUrl, key }).keys.list().page()
  assert.equal(page.keys[0]?.deprecatedCalls, 9_007_199_254_740_993n)
})

test('names stand for the ids of keys', async () => {
  const { keys } = createPetstore({ baseUrl, key })
  const { id, name } = await keys.self()
  assert.ok((await keys.names()).some((each) => each.id === id && each.name === name))
})

test('the status says whether the service works', async () => {
  const { database, feed } = await createPetstore({ baseUrl, key }).status()
  assert.equal(database.state, 'ok')
  assert.equal(typeof feed.lagMs, 'number')
})

test('an unknown key is rejected', async () => {
  await assert.rejects(createPetstore({ baseUrl, key: KEY }).keys.self(), {
    code: 'invalid_credentials',
    status: 401,
  })
})

test('a body that is no key, name or status is an unexpected response', async () => {
  const wrong = async (body: string) => createPetstore({ baseUrl: (await startFaulty(json(200, body))).baseUrl, key })
  const unexpected = { code: 'unexpected_answer' }
  await assert.rejects((await wrong('[]')).keys.self(), unexpected)
  await assert.rejects((await wrong('[{}]')).keys.list().page(), unexpected)
  await assert.rejects((await wrong('[{}]')).keys.names(), unexpected)
  await assert.rejects((await wrong('{}')).status(), unexpected)
})
