import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Category, createPetstore } from '../src/index.ts'
import { startService } from './support/service.ts'

const SMALLEST = -(2n ** 63n)

const { baseUrl, key } = await startService()
const { categories, pets } = createPetstore({ baseUrl, key })

test('a category gets a name, another one, and loses it, exact to the last digit', async () => {
  assert.deepEqual(await categories.put(SMALLEST, 'Dog', { ifNoneMatch: '*' }), {
    id: SMALLEST,
    name: 'Dog',
    version: 1n,
  })
  assert.deepEqual(await categories.put(SMALLEST, 'Cat', { ifMatch: 1n }), { id: SMALLEST, name: 'Cat', version: 2n })
  await assert.rejects(categories.put(SMALLEST, 'Cow', { ifNoneMatch: '*' }), { code: 'version_mismatch', status: 412 })
  await assert.rejects(categories.put(SMALLEST, 'Cow', { ifMatch: 1n }), {
    code: 'version_mismatch',
    status: 412,
    currentVersion: 2n,
  })
  await assert.rejects(categories.delete(SMALLEST, { ifMatch: 1n }), { code: 'version_mismatch' })
  assert.equal(await categories.delete(SMALLEST, { ifMatch: 2n }), undefined)
  await assert.rejects(categories.delete(SMALLEST), { code: 'category_not_found', status: 404 })
  await assert.rejects(categories.put(7 as unknown as bigint, 'Dog'), TypeError)
})

test('categories are listed page by page, by name, and with counts', async () => {
  for (let id = 1_001n; id <= 1_025n; id++) await categories.put(id, id % 2n === 0n ? `Dog ${id}` : `Cat ${id}`)
  await pets.create({ name: 'Rex', categoryId: 1_002n, status: 'sold' })
  const first = await categories.list({ limit: 10 }).page()
  assert.equal(first.categories.length, 10)
  const second = await categories.list({ limit: 10 }).page(first.next)
  assert.equal(second.categories[0]?.id, 1_011n)
  const all: Category[] = []
  for await (const category of categories.list({ counts: true })) all.push(category)
  assert.deepEqual(
    all.map(({ id }) => id),
    Array.from({ length: 25 }, (_, i) => BigInt(i + 1_001)),
  )
  assert.deepEqual(all[1]?.pets, { available: 0, pending: 0, sold: 1, none: 0 })
  const dogs: Category[] = []
  for await (const category of categories.list({ name: 'DO' })) dogs.push(category)
  assert.equal(dogs.length, 12)
})

test('pets are counted', async () => {
  const categoryId = 777n
  for (const status of ['available', 'sold'] as const) await pets.create({ name: 'Rex', categoryId, status })
  await pets.create({ name: 'Rex', categoryId })
  assert.deepEqual(await pets.count({ categoryId }), { count: 3, isMore: false })
  assert.deepEqual(await pets.count({ categoryId, status: 'sold' }), { count: 1, isMore: false })
  assert.ok((await pets.count()).count >= 3)
  assert.deepEqual(await pets.counts({ categoryId }), { available: 1, pending: 0, sold: 1, none: 1 })
  assert.deepEqual(await pets.counts({ categoryId: SMALLEST }), { available: 0, pending: 0, sold: 0, none: 0 })
  await assert.rejects(pets.counts({ categoryId: 7 as unknown as bigint }), TypeError)
})
