import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postJson, startApp } from '../support/app.ts'

const { call } = await startApp()
test('a pet that was added can be fetched', async () => {
  const created = await call('/v1/pets', postJson({ name: 'Rex', categoryId: 2n ** 63n - 1n }))
  assert.equal(created.status, 201)
  assert.deepEqual(created.body, { id: 1n, name: 'Rex', categoryId: 2n ** 63n - 1n })
})
