import type { Caller } from '../lib/batch.ts'
import {
  type NewPet,
  type Page,
  type PageRequest,
  type Pet,
  type PetStatus,
  type Pets,
  pageOf,
} from '../storage/pets/pets.ts'
import { petJson, type StoredPet } from '../storage/pets/stored-pet.ts'
import type { Context } from './context.ts'
import { DomainError } from './errors.ts'
import { createOnce, fingerprintOf } from './idempotency.ts'
import type { Principal } from './principal.ts'

export type { NewPet, PetStatus } from '../storage/pets/pets.ts'

export interface PetFilter {
  status?: PetStatus | undefined
  ids?: bigint[] | undefined
}

// Below every id that is ever assigned.
const START = 0n

export function createPet({ pets }: Pick<Context, 'pets'>, pet: NewPet, caller?: Caller) {
  return pets.insert(pet, caller)
}

/** Adds a pet; if the client sent an Idempotency-Key, only once for this key. */
export async function createPetOnce(
  context: Pick<Context, 'pets' | 'keyedPets'>,
  principal: Principal,
  pet: NewPet,
  key: string | undefined,
  caller?: Caller,
): Promise<{ pet: Pet; isReplay: boolean }> {
  if (key === undefined) return { pet: await createPet(context, pet, caller), isReplay: false }
  const request = { key, fingerprints: fingerprintsOf(pet), input: pet }
  const { id, isReplay } = await createOnce(context.keyedPets, principal, request, caller)
  return { pet: { id, ...pet }, isReplay }
}

/**
 * Equal for equal pets, however their JSON was written. A change adds a version in front and never changes one that is here: keys
 * that were stored with it must still compare.
 */
function fingerprintsOf({ name, categoryId, status }: NewPet): [string, ...string[]] {
  return [fingerprintOf([name, String(categoryId), status ?? null])]
}

/** A pet as JSON. */
export async function getPet({ pets }: Pick<Context, 'pets'>, id: bigint, caller?: Caller) {
  const pet = await pets.find(id, caller)
  if (!pet) throw petNotFound(id)
  return petJson(pet)
}

/** Also for an id that no pet can have, as the client sent it. */
export function petNotFound(id: bigint | string) {
  return new DomainError('pet_not_found', `No pet has the id ${id}.`)
}

/** One page of a walk: each pet that exists and matches during the whole walk is met exactly once. */
export function listPets(
  { pets }: Pick<Context, 'pets'>,
  { status, ids }: PetFilter,
  { limit, after = START }: { limit: number; after?: bigint | undefined },
  caller?: Caller,
): Promise<Page> {
  if (!ids) return pets.list({ status, after, limit }, caller)
  return listOfIds(pets, ids, { status, after, limit }, caller)
}

async function listOfIds(pets: Pets, ids: bigint[], { status, after, limit }: PageRequest, caller?: Caller) {
  const wanted = [...new Set(ids)].filter((id) => id > after).toSorted((a, b) => (a < b ? -1 : 1))
  const found = await pets.findAll(wanted, caller)
  const matching = found.filter((pet): pet is StoredPet => pet !== undefined && (!status || pet.status === status))
  return pageOf(matching, limit)
}
