import type { OnBatch } from '../lib/batch.ts'
import type { KeyMode } from '../lib/ids/key-format.ts'
import type { StoreAddress } from '../lib/ids/store-address.ts'
import { openCategories } from '../storage/categories/categories.ts'
import { DeprecatedCalls } from '../storage/deprecations/calls.ts'
import type { Feed } from '../storage/events/feed.ts'
import { openHistories } from '../storage/events/pages.ts'
import type { KeyCache } from '../storage/keys/cache.ts'
import { openKeyLists } from '../storage/keys/pages.ts'
import { openKeyUses } from '../storage/keys/uses.ts'
import { openOrders } from '../storage/orders/orders.ts'
import { openPetChanges } from '../storage/pets/changes.ts'
import { openIdempotentPets } from '../storage/pets/idempotent-pets.ts'
import { openPets } from '../storage/pets/pets.ts'
import type { Database } from '../storage/postgres/database.ts'
import type { Transactional, Writable } from '../storage/postgres/statement.ts'
import { openSearch } from '../storage/search/search.ts'
import { openWords } from '../storage/search/words.ts'
import { openSessions } from '../storage/sessions/sessions.ts'
import { openStatus } from '../storage/status/status.ts'
import { openIdempotentWebhooks } from '../storage/webhooks/create.ts'
import type { ExposedKeys } from './exposed-keys.ts'
import type { Readiness } from './readiness.ts'

/** A store: its database, and what operations use of it. Everything that a request reads or changes belongs to the store of its key. */
export interface Store extends Repositories {
  address: StoreAddress
  /** Of the keys that it serves: with a sandbox, test keys are only that one's, whatever rows the live store still has. */
  keyModes: readonly KeyMode[]
  db: Writable & Transactional
  keys: KeyCache
  feed: Feed
  readiness: Readiness
  exposedKeys: ExposedKeys
}

type Repositories = ReturnType<typeof openRepositories>

/** The repositories of a store, one for each kind of thing that it keeps. A new resource adds its own. */
export function openRepositories(db: Database, onBatch?: OnBatch) {
  return {
    pets: openPets(db, onBatch),
    idempotentPets: openIdempotentPets(db, onBatch),
    petChanges: openPetChanges(db, onBatch),
    categories: openCategories(db, onBatch),
    search: openSearch(db, onBatch),
    orders: openOrders(db, onBatch),
    histories: openHistories(db, onBatch),
    keyLists: openKeyLists(db, onBatch),
    keyUses: openKeyUses(db.background),
    deprecatedCalls: new DeprecatedCalls(db, onBatch),
    sessions: openSessions(db, onBatch),
    idempotentWebhooks: openIdempotentWebhooks(db),
    words: openWords(db, db.background),
    status: openStatus(db, onBatch),
  }
}
