import type { Caller } from '../lib/batch.ts'
import { INT64_MAX } from '../lib/int64.ts'
import { type CountRequest, MAX_COUNT } from '../storage/pets/counts.ts'
import { type PageRequest, pageOf } from '../storage/pets/pages.ts'
import type { StoredPet } from '../storage/pets/pet-rows.ts'
import type { Pets } from '../storage/pets/pets.ts'
import { DomainError } from './errors.ts'
import { createOnce, fingerprintOf } from './idempotency.ts'
import type { Principal } from './principal.ts'
import type { Store } from './store.ts'
import type { NewPet, Pet, PetPage, PetStatus, Sort, View } from './types/pet.ts'

export interface PetFilter {
  status?: PetStatus | undefined
  categoryId?: bigint | undefined
  ids?: bigint[] | undefined
}

/** Which page of a walk, and how its pets are shown. */
export interface PageOptions {
  limit: number
  /** The id after which it begins; absent for the first page. */
  after?: bigint | undefined
  sort?: Sort | undefined
  view?: View | undefined
}

// Below and above every id that is ever assigned.
const START: Record<Sort, bigint> = { oldest: 0n, newest: INT64_MAX }

/** Adds a pet; if the client sent an Idempotency-Key, only once for this key. */
export async function createPetOnce(
  store: Pick<Store, 'pets' | 'idempotentPets'>,
  principal: Principal,
  pet: NewPet,
  key: string | undefined,
  caller?: Caller,
): Promise<{ pet: Pet; isReplay: boolean }> {
  const { keyId } = principal
  if (key === undefined) return { pet: await store.pets.insert({ ...pet, keyId }, caller), isReplay: false }
  const request = { key, fingerprints: fingerprintsOf(pet), input: pet }
  const { id, isReplay } = await createOnce(store.idempotentPets.insert, principal, request, caller)
  return { pet: { id, ...pet }, isReplay }
}

/**
 * Equal for equal pets, however their JSON was written. A change adds a version in front and never changes one that is here: keys
 * that were stored with it must still compare.
 */
function fingerprintsOf({ name, categoryId, status }: NewPet): [string, ...string[]] {
  return [fingerprintOf([name, String(categoryId), status ?? null])]
}

export async function getPet({ pets }: Pick<Store, 'pets'>, id: bigint, caller?: Caller) {
  const pet = await pets.find(id, caller)
  if (!pet) throw petNotFound(id)
  return pet
}

/** Also for an id that no pet can have, as the client sent it. */
export function petNotFound(id: bigint | string) {
  return new DomainError('pet_not_found', `No pet has the id ${id}.`)
}

/** One page of a walk: each pet that exists and matches during the whole walk is met exactly once. */
export function listPets(
  { pets }: Pick<Store, 'pets'>,
  { ids, status, categoryId }: PetFilter,
  { limit, sort = 'oldest', view = 'basic', after = START[sort] }: PageOptions,
  caller?: Caller,
): Promise<PetPage> {
  const request = { status, categoryId, sort, view, after, limit }
  return ids ? listOfIds(pets, ids, request, caller) : pets.list(request, caller)
}

/** How many pets match. Counting stops at `MAX_COUNT`. */
export async function countPets({ pets }: Pick<Store, 'pets'>, filter: CountRequest, caller?: Caller) {
  const count = await pets.count(filter, caller)
  return { count, isMore: count === MAX_COUNT }
}

async function listOfIds(pets: Pets, ids: bigint[], request: PageRequest, caller?: Caller) {
  const { status, categoryId, sort, view, after, limit } = request
  const isBefore = sort === 'newest' ? (a: bigint, b: bigint) => a > b : (a: bigint, b: bigint) => a < b
  const wanted = [...new Set(ids)].filter((id) => isBefore(after, id)).toSorted((a, b) => (isBefore(a, b) ? -1 : 1))
  const found = await pets.findAll(wanted, view, caller)
  const matching = found.filter(
    (pet): pet is StoredPet =>
      pet !== undefined &&
      (!status || pet.status === status) &&
      (categoryId === undefined || pet.categoryId === String(categoryId)),
  )
  return pageOf(matching, limit)
}
