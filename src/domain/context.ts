import type { OnBatch } from '../lib/batch.ts'
import { DeprecatedCalls } from '../storage/deprecations/calls.ts'
import type { Feed } from '../storage/events/feed.ts'
import { openHistories } from '../storage/events/pages.ts'
import type { KeyCache } from '../storage/keys/cache.ts'
import { openKeyUses } from '../storage/keys/uses.ts'
import { openOrders } from '../storage/orders/orders.ts'
import { openPetChanges } from '../storage/pets/changes.ts'
import { openKeyedPets } from '../storage/pets/keyed-pets.ts'
import { openPets } from '../storage/pets/pets.ts'
import type { Database } from '../storage/postgres/database.ts'
import type { Writable } from '../storage/postgres/statement.ts'

/** What every operation may use. The HTTP layer only passes it on. */
export interface Context extends Stores {
  db: Writable
  keys: KeyCache
  feed: Feed
}

type Stores = ReturnType<typeof openStores>

/** The stores of a database, one for each kind of thing that it keeps. A new resource adds its own. */
export function openStores(db: Database, source: string, onBatch?: OnBatch) {
  return {
    pets: openPets(db, onBatch),
    keyedPets: openKeyedPets(db, onBatch),
    petChanges: openPetChanges(db, onBatch),
    orders: openOrders(db, onBatch),
    histories: openHistories(db, source, onBatch),
    keyUses: openKeyUses(db.background),
    deprecatedCalls: new DeprecatedCalls(db, onBatch),
  }
}
