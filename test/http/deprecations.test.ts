import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey, insertPets } from '../support/factories.ts'
import { until } from '../support/until.ts'

const { call, pool } = await startApp({ publicBaseUrl: 'https://pets.example/v1' })
const [id] = await insertPets(pool, ['sold'])

interface Use {
  operation: string
  calls: bigint
  firstCalled: string
  lastCalled: string
  successor: string
}

/** What the service tells a key, once it tells of so many calls. */
async function usesOf(key: string, calls: bigint) {
  return until(async () => {
    const { status, body } = await call('/v1/deprecations', { key })
    assert.equal(status, 200)
    const uses = body as Use[]
    return uses[0] && uses[0].calls >= calls && uses
  })
}

test('a key reads its own deprecated calls: how often, when, and what replaces them', async () => {
  const key = (await createTestKey(pool, { scopes: ['pets:read'] })).key
  const other = (await createTestKey(pool)).key
  const begun = Date.now()
  await call(`/v1/pets/${id}`, { key })
  await call(`/v1/pets/${id}`, { key, method: 'HEAD' })
  await call('/v1/pets/999', { key })
  await call('/v1/pets/abc', { key })
  const [use, ...more] = await usesOf(key, 4n)
  assert.deepEqual(more, [])
  const { firstCalled, lastCalled, ...rest } = use!
  assert.deepEqual(rest, {
    operation: 'getPet',
    method: 'GET',
    path: 'https://pets.example/v1/pets/{petId}',
    calls: 4n,
    sunset: '2030-12-05',
    successor: 'https://pets.example/v1/pets?id={petId}',
    documentation: 'https://pets.example/docs#get-pet',
  })
  assert.ok(begun <= Date.parse(firstCalled) && Date.parse(firstCalled) <= Date.parse(lastCalled))
  assert.ok(Date.parse(lastCalled) <= Date.now())
  assert.deepEqual((await call('/v1/deprecations', { key: other })).body, [])
})

test('other operations and rejected requests are not counted', async () => {
  const blind = await createTestKey(pool, { scopes: [] })
  assertError(await call(`/v1/pets/${id}`, { key: blind.key }), 403, 'insufficient_scope')
  const key = (await createTestKey(pool)).key
  await call('/v1/pets', { key })
  await call(`/v1/pets?id=${id}`, { key })
  await call(`/v1/pets/${id}`, { key, method: 'DELETE' })
  await call(`/v1/pets/${id}`, { key: null })
  await call(`/v1/pets/${id}`, { key }) // stored in one round with all before it
  assert.equal((await usesOf(key, 1n))[0]!.calls, 1n)
  assert.deepEqual((await call('/v1/deprecations', { key: blind.key })).body, [])
})
