import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPetstore } from '../src/index.ts'
import { collect } from './support/collect.ts'
import { json, KEY, startFaulty } from './support/faulty.ts'
import { startService } from './support/service.ts'

const CATEGORY = -(2n ** 63n)

const { baseUrl, key } = await startService()
const { pets, orders } = createPetstore({ baseUrl, key })

test('a list by category has only its pets, also in reverse', async () => {
  const added: bigint[] = []
  for (let i = 0; i < 5; i++) added.push((await pets.create({ name: `pet ${i}`, categoryId: CATEGORY })).id)
  assert.deepEqual(await idsIn(pets.list({ categoryId: CATEGORY, limit: 2 })), added)
  const newest = await idsIn(pets.list({ categoryId: CATEGORY, sort: 'newest', limit: 2 }))
  assert.deepEqual(newest, added.toReversed())
})

test('a list by name has the pets with such words, in their order', async () => {
  const ids = new Map<string, bigint>()
  for (const name of ['Qimomo', 'Big Qimoe', 'Other', 'Qímo'])
    ids.set(name, (await pets.create({ name, categoryId: 1n })).id)
  const found = await idsIn(pets.list({ name: 'QIMO', limit: 1 }))
  assert.deepEqual(
    found,
    ['Qímo', 'Big Qimoe', 'Qimomo'].map((name) => ids.get(name)),
  )
})

test('a page of a search says how many of 100 pets can be found, while not all can', async () => {
  const service = await startFaulty(json(200, '[]', { 'petstore-search-incomplete': '43' }), json(200, '[]'))
  const list = createPetstore({ baseUrl: service.baseUrl, key: KEY }).pets.list({ name: 'mo' })
  assert.deepEqual(await list.page(), { pets: [], next: undefined, searchIncomplete: 43 })
  assert.deepEqual(await list.page(), { pets: [], next: undefined })
})

test('a full view has versions, and the order that holds a pet', async () => {
  const { id } = await pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
  const order = await orders.place({ petId: id })
  for await (const record of pets.list({ ids: [id], view: 'full' }))
    assert.deepEqual(record, {
      id,
      name: 'Rex',
      categoryId: 1n,
      status: 'pending',
      version: 2n,
      orderId: order.id,
    })
  assert.deepEqual((await pets.list({ ids: [id] }).page()).pets, [
    { id, name: 'Rex', categoryId: 1n, status: 'pending' },
  ])
})

test('the parameters are sent by their names, and only those that are set', async () => {
  const service = await startFaulty(json(200, '[]'))
  const faked = createPetstore({ baseUrl: service.baseUrl, key: KEY })
  await faked.pets.list({ categoryId: CATEGORY, sort: 'newest', view: 'full', status: 'sold', name: 'big mo' }).page()
  await faked.orders.list({ petId: 7n, status: 'placed' }).page('abc')
  for await (const order of faked.orders.list({ reference: 'a b&c' })) assert.fail(order.id)
  assert.deepEqual(
    service.received.map(({ url }) => url),
    [
      `/v1/pets?status=sold&categoryId=${CATEGORY}&name=big+mo&sort=newest&view=full`,
      '/v1/store/orders?status=placed&petId=7&cursor=abc',
      '/v1/store/orders?limit=100&reference=a+b%26c',
    ],
  )
})

test('a number in place of a category is rejected before it is sent', () => {
  const careless = pets as unknown as { list(options: object): { page(): Promise<unknown> } }
  assert.throws(() => careless.list({ categoryId: 7 }), TypeError)
})

test('a full view without versions is an unexpected response', async () => {
  const service = await startFaulty(json(200, '[{"id":1,"name":"Rex","categoryId":7}]'))
  const list = createPetstore({ baseUrl: service.baseUrl, key: KEY }).pets.list({ view: 'full' })
  await assert.rejects(list.page(), { code: 'unexpected_answer' })
})

async function idsIn(list: AsyncIterable<{ id: bigint }>) {
  return (await collect(list)).map(({ id }) => id)
}
