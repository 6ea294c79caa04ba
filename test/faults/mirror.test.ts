import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences } from '../../faults/feed/mirror.ts'
import type { PetRecord } from '../../packages/client/src/index.ts'

const PETS: PetRecord[] = [
  { id: 1n, name: 'Rex', categoryId: 1n, version: 1n },
  { id: 2n, name: 'Mia', categoryId: 1n, status: 'pending', version: 4n, orderId: 'ord_A' },
]

function differencesAfter(change: (copy: Map<bigint, PetRecord>) => void) {
  const copy = new Map(PETS.map((pet) => [pet.id, { ...pet }]))
  change(copy)
  return differences(copy, PETS, PETS)
}

const PLANTS: Record<string, (copy: Map<bigint, PetRecord>) => void> = {
  'a pet that is missing': (copy) => copy.delete(1n),
  'a pet that was deleted': (copy) => copy.set(3n, { id: 3n, name: 'Tom', categoryId: 1n, version: 1n }),
  'another name': (copy) => Object.assign(copy.get(1n) ?? {}, { name: 'Rex II' }),
  'another category': (copy) => Object.assign(copy.get(1n) ?? {}, { categoryId: 2n }),
  'another status': (copy) => Object.assign(copy.get(1n) ?? {}, { status: 'sold' }),
  'an older version': (copy) => Object.assign(copy.get(2n) ?? {}, { version: 3n }),
  'another order': (copy) => Object.assign(copy.get(2n) ?? {}, { orderId: 'ord_B' }),
}

test('E13: a mirror that equals the export and the list has no differences', () => {
  assert.deepEqual(
    differencesAfter(() => {}),
    [],
  )
})

for (const [what, change] of Object.entries(PLANTS))
  test(`E13: the checker finds ${what} in a mirror`, () => {
    assert.equal(differencesAfter(change).length, 1)
  })
