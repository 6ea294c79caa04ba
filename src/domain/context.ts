import type { DeprecatedCalls } from '../storage/deprecations/calls.ts'
import type { KeyedPets } from '../storage/idempotency/keyed-pets.ts'
import type { KeyCache } from '../storage/keys/cache.ts'
import type { KeyUses } from '../storage/keys/uses.ts'
import type { Pets } from '../storage/pets/pets.ts'
import type { Writable } from '../storage/postgres/statement.ts'

/** What every operation may reach. Wired once, in service.ts; the HTTP layer only hands it on. */
export interface Context {
  db: Writable
  pets: Pets
  keyedPets: KeyedPets
  keys: KeyCache
  keyUses: KeyUses
  deprecatedCalls: DeprecatedCalls
}
