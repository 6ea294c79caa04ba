import { createPets, type Pets } from './pets.ts'
import { connect, type PetstoreOptions } from './send.ts'

export { type ErrorCode, PetstoreError } from './errors.ts'
export type { NewPet, Pet, PetStatus } from './json.ts'
export type { CallOptions, CreateOptions, ListOptions, PetList, PetPage, Pets } from './pets.ts'
export type { PetstoreOptions } from './send.ts'

export interface Petstore {
  readonly pets: Pets
}

/** A client of the service at `baseUrl`. It holds no connection of its own, and needs no closing. */
export function createPetstore(options: PetstoreOptions): Petstore {
  return { pets: createPets(connect(options)) }
}
