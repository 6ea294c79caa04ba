import { digits, stringify } from './json.ts'
import type { NewOrder, NewPet, PetPatch } from './kinds.ts'

export function writeNewPet({ name, categoryId, status }: NewPet) {
  if (typeof name !== 'string') throw new TypeError('`name` is required: a string.')
  digits('categoryId', categoryId)
  return stringify({ categoryId, name, status })
}

/** Of a whole record only what can be changed. */
export function writePatch({ name, categoryId, status }: PetPatch) {
  if (categoryId !== undefined) digits('categoryId', categoryId)
  return stringify({ name, categoryId, status })
}

export function writeNewOrder({ petId, expiresIn, reference }: NewOrder) {
  digits('petId', petId)
  return stringify({ petId, expiresIn, reference })
}
