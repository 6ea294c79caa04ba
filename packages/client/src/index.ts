import { createKeys, type Keys } from './keys.ts'
import { createPets, type Pets } from './pets.ts'
import { connect, type PetstoreOptions } from './send.ts'

export { type ErrorCode, PetstoreError } from './errors.ts'
export type { Key, NewPet, Pet, PetStatus } from './json.ts'
export type { Keys } from './keys.ts'
export type { CallOptions, CreateOptions, ListOptions, PetList, PetPage, Pets } from './pets.ts'
export type { PetstoreOptions } from './send.ts'

export interface Petstore {
  readonly pets: Pets
  readonly keys: Keys
}

/** A client of the service at `baseUrl`. It holds no connection of its own, and needs no closing. */
export function createPetstore(options: PetstoreOptions): Petstore {
  const connection = connect(options)
  return { pets: createPets(connection), keys: createKeys(connection) }
}
