import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NewPet, Pet, PetStatus } from '../../src/http/pets/schemas.ts'
import { buildSerializer } from '../../src/http/wire/serialization.ts'
import { petJson, petsJson, type StoredPet } from '../../src/storage/pets/stored-pet.ts'

const schemas = { PetStatus, NewPet, Pet }
const serialize = buildSerializer(schemas, {})({ schema: Pet, method: 'POST', url: '/pets', httpStatus: '201' })

/** What the response to a create is made of. */
function serialized({ id, name, categoryId, status }: StoredPet) {
  return serialize({ id: BigInt(id), name, categoryId: BigInt(categoryId), status })
}

const pet = { id: '1', name: 'Rex', categoryId: '7' }

test('a pet that was read is printed as the response to its creation was, whatever its name contains', () => {
  const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff
  const characters = Array.from({ length: 0x110000 }, (_, code) =>
    isSurrogate(code) ? '' : String.fromCodePoint(code),
  )
  const names = characters.slice(0, 0x3000)
  // Short and long names take different paths in the serializer.
  for (let i = 0; i < characters.length; i += 100) names.push(characters.slice(i, i + 100).join(''))
  for (const name of names) assert.equal(petJson({ ...pet, name }), serialized({ ...pet, name }))
})

test('its integers are printed digit for digit, and its status only if it has one', () => {
  for (const status of [undefined, 'available', 'pending', 'sold'] as const)
    for (const categoryId of ['0', '-1', '9223372036854775807', '-9223372036854775808', '9007199254740993'])
      assert.equal(
        petJson({ ...pet, id: '9007199254740991', categoryId, status }),
        serialized({ ...pet, id: '9007199254740991', categoryId, status }),
      )
})

test('pets are printed as an array of the same', () => {
  assert.equal(petsJson([]), '[]')
  assert.equal(petsJson([pet]), `[${petJson(pet)}]`)
  assert.equal(petsJson([pet, { ...pet, id: '2' }]), `[${petJson(pet)},${petJson({ ...pet, id: '2' })}]`)
})
