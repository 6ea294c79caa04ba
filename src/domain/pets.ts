import type { Caller } from '../lib/batch.ts'
import {
  type NewPet,
  type Page,
  type PageRequest,
  type Pet,
  type PetStatus,
  type Pets,
  pageOf,
} from '../storage/pets.ts'
import type { Context } from './context.ts'
import { DomainError } from './errors.ts'

export type { NewPet, Page, PetStatus } from '../storage/pets.ts'

export interface PetFilter {
  status?: PetStatus | undefined
  ids?: bigint[] | undefined
}

// Below every id that is ever assigned.
const START = 0n

export function createPet({ pets }: Pick<Context, 'pets'>, pet: NewPet, caller?: Caller) {
  return pets.insert(pet, caller)
}

export async function getPet({ pets }: Pick<Context, 'pets'>, id: bigint, caller?: Caller) {
  const pet = await pets.find(id, caller)
  if (!pet) throw new DomainError('pet_not_found', `No pet has the id ${id}.`)
  return pet
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
  const matching = found.filter((pet): pet is Pet => pet !== undefined && (!status || pet.status === status))
  return pageOf(matching, limit)
}
