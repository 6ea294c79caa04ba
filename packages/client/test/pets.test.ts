import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { createPetstore, PetstoreError, parse, stringify } from '../src/index.ts'
import { forward, startFaulty } from './support/faulty.ts'
import { startService } from './support/service.ts'

const { baseUrl, key } = await startService()
const { pets } = createPetstore({ baseUrl, key })

test('a pet comes back as it was added, with its id', async () => {
  const added = await pets.create({ name: 'Momo "the 🐢"', categoryId: 7n, status: 'pending' })
  assert.deepEqual(added, { id: added.id, name: 'Momo "the 🐢"', categoryId: 7n, status: 'pending' })
  assert.equal(typeof added.id, 'bigint')
  assert.deepEqual(await pets.get(added.id), added)
})

test('a pet without a status has none', async () => {
  assert.equal('status' in (await pets.create({ name: 'Nemo', categoryId: 1n })), false)
})

test('a create whose response was lost adds one pet', async () => {
  const { origin } = new URL(baseUrl)
  const network = await startFaulty(forward(origin, true), forward(origin, false))
  const added = await createPetstore({ baseUrl: network.baseUrl, key }).pets.create({ name: 'Once', categoryId: 1n })
  assert.equal(network.received.length, 2)
  const once: bigint[] = []
  for await (const { id, name } of pets.list()) if (name === 'Once') once.push(id)
  assert.deepEqual(once, [added.id])
})

test('a given idempotency key adds one pet, even in a later call', async () => {
  const rex = { name: 'Rex', categoryId: 7n }
  const first = await pets.create(rex, { idempotencyKey: 'order-4711' })
  assert.deepEqual(await pets.create(rex, { idempotencyKey: 'order-4711' }), first)
  await assert.rejects(pets.create({ ...rex, name: 'Momo' }, { idempotencyKey: 'order-4711' }), {
    code: 'idempotency_key_reused',
    status: 422,
  })
})

for (const categoryId of [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, 0n, -1n])
  test(`categoryId ${categoryId} is exact on every way out`, async () => {
    const { id } = await pets.create({ name: 'Exact', categoryId })
    assert.equal((await pets.get(id)).categoryId, categoryId)
    const { pets: found } = await pets.list({ ids: [id] }).page()
    assert.deepEqual(found, [{ id, name: 'Exact', categoryId }])
  })

test('a walk meets every pet of the status once, over many pages', async () => {
  const added = new Set<bigint>()
  for (let i = 0; i < 30; i++) added.add((await pets.create({ name: `pet ${i}`, categoryId: 5n, status: 'sold' })).id)
  const met: bigint[] = []
  for await (const pet of pets.list({ status: 'sold', limit: 7 })) {
    assert.equal(pet.status, 'sold')
    met.push(pet.id)
  }
  assert.equal(new Set(met).size, met.length)
  assert.deepEqual(
    [...added].filter((id) => !met.includes(id)),
    [],
  )
})

test('a list can be walked twice, and left early', async () => {
  const list = pets.list({ limit: 2 })
  const first = async () => {
    for await (const pet of list) return pet
    return undefined
  }
  assert.deepEqual(await first(), await first())
})

test('page gives one page, and leads to the next until the last', async () => {
  const list = pets.list({ ids: [1n, 2n, 3n], limit: 2 })
  const { pets: two, next } = await list.page()
  assert.deepEqual(
    two.map(({ id }) => id),
    [1n, 2n],
  )
  const last = await list.page(next)
  assert.deepEqual(
    last.pets.map(({ id }) => id),
    [3n],
  )
  assert.equal(last.next, undefined)
})

test('a list of no ids is empty, and nothing is sent for it', async () => {
  const { baseUrl: elsewhere, received } = await startFaulty(forward(new URL(baseUrl).origin, false))
  const list = createPetstore({ baseUrl: elsewhere, key }).pets.list({ ids: [] })
  assert.deepEqual(await list.page(), { pets: [], next: undefined })
  for await (const pet of list) assert.fail(`listed ${pet.id}`)
  assert.equal(received.length, 0)
})

test('a pet without a name is rejected before it is sent', async () => {
  const careless = pets as unknown as { create(pet: object): Promise<unknown> }
  for (const name of [undefined, null, 7])
    await assert.rejects(careless.create({ name, categoryId: 7n }), {
      name: 'TypeError',
      message: '`name` is required: a string.',
    })
})

test('a pet can be written as JSON and read back, exact to the last digit', async () => {
  const pet = await pets.create({ name: 'Shelly 🐢', categoryId: 2n ** 63n - 1n })
  const text = stringify({ pets: [pet] })
  assert.equal(text, `{"pets":[{"id":${pet.id},"name":"Shelly 🐢","categoryId":9223372036854775807}]}`)
  assert.deepEqual(parse(text), { pets: [pet] })
  assert.equal(stringify({ id: 1n }, 2), '{\n  "id": 1\n}')
})

test('an error of the service has its code, status, message and request id', async () => {
  const error = await pets.get(4_000_000_000n).catch((caught: unknown) => caught)
  assert.ok(error instanceof PetstoreError)
  assert.equal(error.code, 'pet_not_found')
  assert.equal(error.status, 404)
  assert.match(error.message, /4000000000/)
  assert.match(error.requestId ?? '', /^[\w-]{20}$/)
})

test('a wrong key is rejected, and no message contains it', async () => {
  const wrong = createPetstore({ baseUrl, key: 'petk_test_wrong' })
  const error = await wrong.pets
    .list()
    .page()
    .catch((caught: unknown) => caught)
  assert.ok(error instanceof PetstoreError && error.code === 'invalid_credentials')
  assert.doesNotMatch(inspect([error, wrong], { depth: null, showHidden: true }), /petk_/)
})

test('numbers that may have lost digits are rejected before they are sent', async () => {
  const careless = pets as unknown as { create(pet: object): Promise<unknown>; get(id: unknown): Promise<unknown> }
  await assert.rejects(careless.create({ name: 'Rex', categoryId: 2 ** 60 }), TypeError)
  await assert.rejects(careless.get(2 ** 60), TypeError)
  await assert.rejects(careless.get('../keys'), TypeError)
})
