import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PetstoreEvent } from '../../packages/client/src/index.ts'
import { wordsOf } from '../../packages/console/src/event-words.ts'
import { sentence } from '../../packages/console/src/texts/activity.ts'

const NAMES = { category: (id: bigint) => `category ${id}`, status: (status: unknown) => String(status) }
const PET = { id: 7n, name: 'Big Moe', categoryId: 2n, version: 3n, status: 'sold' }

/** As a person reads it, if Ben did it. */
function said(type: string, data: object) {
  const event = { type, data: { keyId: 'key_1', ...data } } as unknown as PetstoreEvent
  const { template, values } = wordsOf(event, sentence, NAMES)
  const all = { who: 'Ben', ...values } as Record<string, string>
  return template.replaceAll(/\{(\w+)\}/g, (_, place: string) => all[place] ?? `{${place}}`)
}
const updated = (changed: string[], previous?: object, pet: object = PET) =>
  said('pet.updated', { pet, changed, ...(previous && { previous }) })

test('a change says what it was before', () => {
  assert.equal(updated(['name'], { name: 'Moe' }), 'Ben renamed Moe to Big Moe')
  assert.equal(updated(['categoryId'], { categoryId: 1n }), 'Ben moved Big Moe from category 1 to category 2')
  assert.equal(updated(['status'], { status: 'available' }), 'Ben marked Big Moe as sold')
  assert.equal(
    updated(['status'], { status: 'sold' }, { ...PET, status: undefined }),
    'Ben removed the status of Big Moe',
  )
  assert.equal(updated(['name', 'status'], { name: 'Moe', status: null }), 'Ben changed the name and status of Big Moe')
})

test('the fields that changed are listed as a person would', () => {
  assert.equal(updated(['name', 'categoryId'], { name: 'Moe' }), 'Ben changed the name and category of Big Moe')
  assert.equal(
    updated(['name', 'categoryId', 'status'], { name: 'Moe' }),
    'Ben changed the name, category and status of Big Moe',
  )
})

test('an event of an earlier version, which has no previous values, says what it can', () => {
  assert.equal(updated(['name']), 'Ben renamed a pet to Big Moe')
  assert.equal(updated(['categoryId']), 'Ben moved Big Moe to category 2')
  assert.equal(updated(['status']), 'Ben marked Big Moe as sold')
  assert.equal(updated([]), 'Ben changed Big Moe')
  assert.equal(updated(['colour']), 'Ben changed the colour of Big Moe')
})

test('an order says for whom, if it has a reference', () => {
  const order = { id: 'ord_1', petId: 7n, status: 'placed' }
  const referred = { ...order, reference: 'Mrs. Okafor' }
  assert.equal(said('order.placed', { pet: PET, order }), 'Ben reserved Big Moe')
  assert.equal(said('order.placed', { pet: PET, order: referred }), 'Ben reserved Big Moe for Mrs. Okafor')
  assert.equal(said('order.completed', { pet: PET, order: referred }), 'Ben sold Big Moe to Mrs. Okafor')
  assert.equal(said('order.cancelled', { pet: PET, order: referred }), 'Ben released Big Moe, held for Mrs. Okafor')
  assert.equal(said('order.expired', { pet: PET, order: referred }), 'The reservation of Big Moe for Mrs. Okafor ended')
})

test('imports, additions, deletions and types of later versions', () => {
  assert.equal(said('pets.imported', { added: 1_200n }), 'Ben imported 1,200 pets')
  assert.equal(said('pet.created', { pet: PET }), 'Ben added Big Moe')
  assert.equal(said('pet.deleted', { pet: PET }), 'Ben deleted Big Moe')
  assert.equal(said('pet.groomed', { pet: PET }), 'Ben: pet.groomed Big Moe')
})
