import type { ListOptions, PetRecord } from '@petstore/client'
import { pets } from './api.ts'

/** So many short pages are followed without asking. */
const MAX_FOLLOWED = 5

/**
 * A page of pets. One that a search has not filled is filled from the next ones; `next` is where it went no further. `isPartial`: not all
 * pets can be found yet, as after an import.
 */
export async function findPets(options: ListOptions, limit: number, cursor?: string) {
  const found = new Map<bigint, PetRecord>()
  let next = cursor
  let isPartial = false
  for (let followed = 0; followed <= MAX_FOLLOWED; followed++) {
    const page = await pets.list({ ...options, view: 'full', limit: limit - found.size }).page(next)
    for (const pet of page.pets) found.set(pet.id, pet)
    next = page.next
    isPartial ||= page.searchIncomplete !== undefined
    if (next === undefined || found.size >= limit) break
  }
  return { rows: [...found.values()], next, isPartial }
}

/** Pets that were found by name: those that can't be bought any more come last, the others stay in their order. */
export const soldLast = (found: readonly PetRecord[]) =>
  found.toSorted((a, b) => Number(a.status === 'sold') - Number(b.status === 'sold'))
