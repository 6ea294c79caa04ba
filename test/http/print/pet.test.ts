import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pet } from '../../../src/domain/types/pet.ts'
import { petJson, petPageJson, petRecordJson } from '../../../src/http/print/pet.ts'

/** As Node prints it, with the digits of its integers as they are. */
function printed({ id, categoryId, ...pet }: Pet) {
  const digits = (value: bigint | string) => JSON.rawJSON(String(value))
  return JSON.stringify({ id: digits(id), name: pet.name, categoryId: digits(categoryId), status: pet.status })
}

const pet = { id: '1', name: 'Rex', categoryId: '7' }

test('a pet is printed as Node would print it, whatever its name contains', () => {
  const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))
  const names = characters.slice(0, 0x3000)
  for (let i = 0; i < characters.length; i += 100) names.push(characters.slice(i, i + 100).join(''))
  for (const name of names) assert.equal(petJson({ ...pet, name }), printed({ ...pet, name }))
})

test('its integers are printed digit for digit, read or created, and its status only if it has one', () => {
  for (const status of [undefined, 'available', 'pending', 'sold'] as const)
    for (const categoryId of ['0', '-1', '9223372036854775807', '-9223372036854775808', '9007199254740993']) {
      const id = '9007199254740991'
      const expected = printed({ ...pet, id, categoryId, status })
      assert.equal(petJson({ ...pet, id, categoryId, status }), expected)
      assert.equal(petJson({ ...pet, id: BigInt(id), categoryId: BigInt(categoryId), status }), expected)
    }
})

test('a page is printed as an array of the same, and again for another page only', () => {
  const [one, two] = [pet, { ...pet, id: '2', version: '3' }]
  assert.equal(petPageJson({ pets: [] }), '[]')
  const page = { pets: [one] }
  for (const _ of [1, 2]) assert.equal(petPageJson(page), `[${petJson(one)}]`)
  page.pets = []
  assert.equal(petPageJson(page), `[${petJson(one)}]`)
  assert.equal(petPageJson({ pets: [one, two] }), `[${petJson(one)},${petRecordJson(two)}]`)
})
