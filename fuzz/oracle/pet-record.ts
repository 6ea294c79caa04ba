import { type Json, Literal } from './json.ts'
import { asPet, canonicalInt64, int64, type Pet, samePet } from './new-pet.ts'
import type { PetState } from './world.ts'

/** What PATCH changes of a pet: a status of null is removed. */
export interface Patch {
  name?: string
  categoryId?: bigint
  status?: string | null
}

/** The Patch that this value is; undefined when it changes nothing, or something to what it can't be. */
export function asPatch(value: Json | undefined): Patch | undefined {
  if (!(value instanceof Map)) return undefined
  const patch: Patch = {}
  if (value.has('name')) {
    const name = value.get('name')
    if (typeof name !== 'string') return undefined
    patch.name = name
  }
  if (value.has('categoryId')) {
    const categoryId = int64(value.get('categoryId'))
    if (categoryId === undefined) return undefined
    patch.categoryId = categoryId
  }
  const status = value.get('status')
  if (status !== undefined) {
    if (status !== null && typeof status !== 'string') return undefined
    patch.status = status
  }
  return Object.keys(patch).length === 0 ? undefined : patch
}

/** The pet after a patch: one version more, if anything is different. */
export function patched(pet: PetState, { name, categoryId, status }: Patch): PetState {
  const { status: before, ...rest } = pet
  const after = status === undefined ? before : (status ?? undefined)
  const changed: PetState = {
    ...rest,
    name: name ?? pet.name,
    categoryId: categoryId ?? pet.categoryId,
    ...(after === undefined ? {} : { status: after }),
  }
  return samePet(pet, changed) ? pet : { ...changed, version: pet.version + 1n }
}

export type PetRecord = PetState & Pet

/** The PetRecord that a response shows, as strict as `asPet`. */
export function asPetRecord(value: Json): PetRecord | undefined {
  const pet = asPet(value, ['version', 'orderId'])
  if (!pet || !(value instanceof Map)) return undefined
  const [literal, orderId] = [value.get('version'), value.get('orderId')]
  const version = literal instanceof Literal ? canonicalInt64(literal.text) : undefined
  if (version === undefined || version < 1n) return undefined
  if (orderId === undefined) return { ...pet, version }
  return typeof orderId === 'string' && pet.status === 'pending' ? { ...pet, version, orderId } : undefined
}

export function sameRecord(a: PetState, b: PetState) {
  return samePet(a, b) && a.version === b.version && a.orderId === b.orderId
}
