import * as pets from '../storage/pets.ts'
import type { Context } from './context.ts'
import { DomainError } from './errors.ts'

export type { NewPet, PetStatus } from '../storage/pets.ts'

export interface Page {
  pets: pets.Pet[]
  /** The id behind which the next page begins; absent on the last page. */
  next?: bigint
}

// Below every id that is ever assigned.
const START = 0n

export async function createPet({ db }: Pick<Context, 'db'>, pet: pets.NewPet) {
  return pets.insert(db, pet)
}

export async function getPet({ db }: Pick<Context, 'db'>, id: bigint) {
  const pet = await pets.find(db, id)
  if (!pet) throw new DomainError('pet_not_found', `No pet has the id ${id}.`)
  return pet
}

/** One page of a walk: each pet that exists and matches during the whole walk is met exactly once. */
export async function listPets(
  { db }: Pick<Context, 'db'>,
  filter: pets.PetFilter,
  limit: number,
  after = START,
): Promise<Page> {
  // One more than asked for tells whether anything follows.
  const found = await pets.listAfter(db, filter, after, limit + 1)
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return found.length > limit && last ? { pets: page, next: last.id } : { pets: page }
}
