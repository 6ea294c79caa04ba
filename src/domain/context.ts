import type { DeprecatedCalls } from '../storage/deprecated-calls.ts'
import type { KeyCache } from '../storage/key-cache.ts'
import type { KeyUses } from '../storage/key-uses.ts'
import type { KeyedPets } from '../storage/keyed-pets.ts'
import type { Pets } from '../storage/pets.ts'
import type { Writable } from '../storage/statement.ts'

/** What every operation may reach. Wired once, in service.ts; the HTTP layer only hands it on. */
export interface Context {
  db: Writable
  pets: Pets
  keyedPets: KeyedPets
  keys: KeyCache
  keyUses: KeyUses
  deprecatedCalls: DeprecatedCalls
}
