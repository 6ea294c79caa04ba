import { connect, type PetstoreOptions } from './connection.ts'
import { listDeprecations } from './deprecations.ts'
import type { DeprecatedUse } from './json.ts'
import { createKeys, type Keys } from './keys.ts'
import { type CallOptions, createPets, type Pets } from './pets.ts'

export type { PetstoreOptions, Retry } from './connection.ts'
export { type ErrorCode, PetstoreError } from './errors.ts'
export { type DeprecatedUse, type Key, type NewPet, type Pet, type PetStatus, parse, stringify } from './json.ts'
export type { Keys } from './keys.ts'
export type { CallOptions, CreateOptions, ListOptions, PetList, PetPage, Pets } from './pets.ts'
export type { RateLimit, ResponseInfo } from './response-info.ts'

export interface Petstore {
  readonly pets: Pets
  readonly keys: Keys
  /** Which deprecated operations this key has called, how often and when, and what replaces them. Beta: it may still change. */
  deprecations(options?: CallOptions): Promise<DeprecatedUse[]>
}

/**
 * A client of the service at `baseUrl`. It holds no connection of its own, and needs no closing.
 *
 * @throws {TypeError} If `baseUrl` is not a URL or `key` not an API key.
 */
export function createPetstore(options: PetstoreOptions): Petstore {
  const connection = connect(options)
  return {
    pets: createPets(connection),
    keys: createKeys(connection),
    deprecations: (call) => listDeprecations(connection, call),
  }
}
