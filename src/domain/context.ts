import type { OnBatch } from '../lib/batch.ts'
import type { ReceiverRules } from '../lib/receivers.ts'
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
import type { Transactional, Writable } from '../storage/postgres/statement.ts'
import { openSessions } from '../storage/sessions/sessions.ts'
import { openKeyedWebhooks } from '../storage/webhooks/create.ts'

/** What every operation may use. The HTTP layer only passes it on. */
export interface Context extends Stores {
  db: Writable & Transactional
  keys: KeyCache
  feed: Feed
  webhookSettings: WebhookSettings
}

/** What the operator decides about webhooks. */
export interface WebhookSettings {
  /** Their secrets derive from it; undefined where none can be created. */
  masterSecret: string | undefined
  receivers: ReceiverRules
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
    sessions: openSessions(db, onBatch),
    keyedWebhooks: openKeyedWebhooks(db),
  }
}
