import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPetstore, PetstoreError } from '../src/index.ts'
import { cut, json, KEY, refusal, silence, startFaulty, unavailable } from './support/faulty.ts'
import { startService } from './support/service.ts'

const LARGEST = 2n ** 63n - 1n

const { baseUrl, key } = await startService()
const { pets } = createPetstore({ baseUrl, key })

test('a change returns the pet with its new version, exact to the last digit', async () => {
  const { id } = await pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
  const changed = await pets.update(id, { name: 'Rex II', categoryId: LARGEST })
  assert.deepEqual(changed, { id, name: 'Rex II', categoryId: LARGEST, status: 'available', version: 2n })
  assert.deepEqual(await pets.update(id, { status: null }), { id, name: 'Rex II', categoryId: LARGEST, version: 3n })
  assert.deepEqual(await read(id), { id, name: 'Rex II', categoryId: LARGEST, version: 3n })
})

test('what a list returned can be changed and sent back: only what can be changed is sent', async () => {
  const { id } = await pets.create({ name: 'Rex', categoryId: 1n })
  const record = await read(id)
  const changed = await pets.update(id, { ...record, name: 'Max' }, { ifMatch: record.version })
  assert.deepEqual(changed, { ...record, name: 'Max', version: 2n })
})

test('a change of an older version is rejected, and the error has the current one', async () => {
  const { id } = await pets.create({ name: 'Rex', categoryId: 1n })
  await pets.update(id, { name: 'Max' }, { ifMatch: 1n })
  const error = await pets.update(id, { name: 'Rocky' }, { ifMatch: 1n }).catch((caught: unknown) => caught)
  assert.ok(error instanceof PetstoreError)
  assert.deepEqual([error.code, error.status, error.currentVersion], ['version_mismatch', 412, 2n])
  assert.equal((await pets.update(id, { name: 'Rocky' }, { ifMatch: error.currentVersion })).version, 3n)
  await assert.rejects(pets.delete(id, { ifMatch: 1n }), { code: 'version_mismatch', currentVersion: 3n })
})

test('a sale is taken back only with its version', async () => {
  const { id } = await pets.create({ name: 'Rex', categoryId: 1n, status: 'sold' })
  await assert.rejects(pets.update(id, { status: 'available' }), {
    code: 'version_required',
    status: 428,
    currentVersion: undefined,
  })
  assert.equal((await pets.update(id, { status: 'available' }, { ifMatch: 1n })).status, 'available')
})

test('a deleted pet is gone', async () => {
  const { id } = await pets.create({ name: 'Rex', categoryId: 1n })
  assert.equal(await pets.delete(id, { ifMatch: 1n }), undefined)
  assert.deepEqual((await pets.list({ ids: [id] }).page()).pets, [])
  await assert.rejects(pets.delete(id), { code: 'pet_not_found', status: 404 })
})

test('a change is sent as it is documented, without what is undefined', async () => {
  const { pets: faked, received } = await startFake(changed, json(204, ''))
  await faked.update(7n, { name: 'Rex', categoryId: LARGEST }, { ifMatch: 3n })
  await faked.delete(7n)
  assert.deepEqual(
    received.map(({ method, url, body, headers }) => [method, url, body, headers['content-type'], headers['if-match']]),
    [
      ['PATCH', '/v1/pets/7', '{"name":"Rex","categoryId":9223372036854775807}', 'application/merge-patch+json', '"3"'],
      ['DELETE', '/v1/pets/7', '', undefined, undefined],
    ],
  )
})

const changed = json(200, '{"id":7,"name":"Rex","categoryId":1,"version":9007199254740993}')

for (const [what, answer] of [
  ['408', refusal(408, 'request_timeout')],
  ['429', refusal(429, 'rate_limited')],
  ['503 overloaded', refusal(503, 'overloaded')],
] as const)
  test(`a change is retried after ${what}: nothing was done`, async () => {
    const { pets: faked, received } = await startFake(answer, changed)
    assert.equal((await faked.update(7n, { name: 'Rex' })).version, 9_007_199_254_740_993n)
    assert.equal(received.length, 2)
  })

for (const [what, answer, code] of [
  ['a lost connection', cut, 'connection_failed'],
  ['no response', silence, 'deadline_exceeded'],
  ['503 unavailable', unavailable('0'), 'unavailable'],
  ['502 of a proxy', json(502, '<h1>Bad gateway</h1>'), 'unexpected_answer'],
] as const)
  test(`a change is not retried after ${what}: it may have been made, and another one since`, async () => {
    const { pets: faked, received } = await startFake(answer, changed)
    await assert.rejects(faked.update(7n, { name: 'Rex' }), { name: 'PetstoreError', code })
    assert.equal(received.length, 1)
    const again = await startFake(answer, json(204, ''))
    await assert.rejects(again.pets.delete(7n), { name: 'PetstoreError', code })
    assert.equal(again.received.length, 1)
  })

test('a version or category that may have lost digits is rejected before it is sent, and null is no missing version', async () => {
  const { pets: faked, received } = await startFake(changed)
  const careless = faked as unknown as Record<'update' | 'delete', (...call: unknown[]) => Promise<unknown>>
  for (const ifMatch of [3, '3', null]) {
    await assert.rejects(careless.update(7n, { name: 'Rex' }, { ifMatch }), TypeError)
    await assert.rejects(careless.delete(7n, { ifMatch }), TypeError)
  }
  await assert.rejects(careless.update(7n, { categoryId: 7 }), TypeError)
  await assert.rejects(careless.update(7, { name: 'Rex' }), TypeError)
  assert.equal(received.length, 0)
})

test('a pet without its version is an unexpected response', async () => {
  const { pets: faked } = await startFake(json(200, '{"id":7,"name":"Rex","categoryId":1}'))
  await assert.rejects(faked.update(7n, { name: 'Rex' }), { code: 'unexpected_answer' })
})

async function read(id: bigint) {
  const [record] = (await pets.list({ ids: [id], view: 'full' }).page()).pets
  assert.ok(record)
  return record
}

async function startFake(...answers: Parameters<typeof startFaulty>) {
  const fake = await startFaulty(...answers)
  // Only an answer that never comes is waited for as long.
  const attemptTimeoutMs = answers[0] === silence ? 200 : 10_000
  return { ...createPetstore({ baseUrl: fake.baseUrl, key: KEY, attemptTimeoutMs }), received: fake.received }
}
