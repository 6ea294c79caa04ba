import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
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
import { REQUEST_DEADLINE_MS } from '../storage/postgres/database.ts'
import { DatabaseBusy } from '../storage/postgres/failures.ts'
import type { Context } from './context.ts'
import { DomainError } from './errors.ts'
import type { Principal } from './principal.ts'

export type { NewPet, Page, PetStatus } from '../storage/pets/pets.ts'

export interface PetFilter {
  status?: PetStatus | undefined
  ids?: bigint[] | undefined
}

// Below every id that is ever assigned.
const START = 0n

export function createPet({ pets }: Pick<Context, 'pets'>, pet: NewPet, caller?: Caller) {
  return pets.insert(pet, caller)
}

// How long to leave a key alone that another call is storing. Not all who wait for it come back at once.
const PAUSE_MS = { least: 20, most: 100 }

/**
 * Adds a pet, but if the caller gave a key, only once for this key: whoever brings it again, with the same pet, gets the pet
 * that was added first. While the first is still being stored, the others wait for it.
 */
export async function createPetOnce(
  context: Pick<Context, 'pets' | 'keyedPets'>,
  { keyId }: Principal,
  pet: NewPet,
  key: string | undefined,
  caller?: Caller,
): Promise<{ pet: Pet; isReplay: boolean }> {
  if (key === undefined) return { pet: await createPet(context, pet, caller), isReplay: false }
  const attempt = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
  const keyed = { apiKeyId: keyId, key, fingerprint: fingerprintOf(pet), attempt, pet }
  const deadline = (caller?.begun ?? performance.now()) + REQUEST_DEADLINE_MS
  let result = await context.keyedPets.insert(keyed, caller)
  while (result.outcome === 'in progress') {
    const pause = PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least)
    if (performance.now() + pause >= deadline) throw inProgress()
    await sleep(pause)
    // Not told as busy: that would mean that nothing has been done, and the other call may have done it.
    result = await context.keyedPets.insert(keyed, caller).catch((error: unknown) => {
      throw error instanceof DatabaseBusy ? inProgress() : error
    })
  }
  if (result.outcome === 'unread') throw result.error
  if (result.outcome === 'reused')
    throw new DomainError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for a different body. Send that body again, or this one with a new key.',
    )
  return { pet: { id: result.petId, ...pet }, isReplay: result.outcome === 'replayed' }
}

function inProgress() {
  return new DomainError(
    'idempotency_in_progress',
    'Another request with this Idempotency-Key is still running. Try again in a moment, with the same key.',
  )
}

/** Equal for equal pets, however their JSON was written. */
function fingerprintOf({ name, categoryId, status }: NewPet) {
  return hash('sha256', JSON.stringify([name, String(categoryId), status ?? null]))
}

export async function getPet({ pets }: Pick<Context, 'pets'>, id: bigint, caller?: Caller) {
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
