import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPetstore } from '../src/index.ts'
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

test('an unknown key is rejected', async () => {
  await assert.rejects(createPetstore({ baseUrl, key: KEY }).keys.self(), {
    code: 'invalid_credentials',
    status: 401,
  })
})

test('a body that is no key is an unexpected response', async () => {
  const other = await startFaulty(json(200, '[]'))
  await assert.rejects(createPetstore({ baseUrl: other.baseUrl, key }).keys.self(), { code: 'unexpected_answer' })
})
