import { type Categories, createCategories } from './categories.ts'
import type { Connection } from './connection.ts'
import { listDeprecations } from './deprecations.ts'
import { createEvents, type Events } from './events.ts'
import { createKeys, type Keys } from './keys.ts'
import type { DeprecatedUse, Status } from './kinds.ts'
import type { CallOptions } from './options.ts'
import { createOrders, type Orders } from './orders.ts'
import { createPets, type Pets } from './pets.ts'
import { getStatus } from './status.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

export interface Resources {
  readonly pets: Pets
  /** Names of categories, and how many pets they have. Beta: it may still change. */
  readonly categories: Categories
  /** Reserve and sell pets. */
  readonly orders: Orders
  /** What has changed. */
  readonly events: Events
  /** Have events sent to a URL of yours. */
  readonly webhooks: Webhooks
  /** This client's key and, if it may see them, those of others. Beta: it may still change. */
  readonly keys: Keys
  /** Which deprecated operations this key has called, how often and when, and what replaces them. Beta: it may still change. */
  readonly deprecations: (options?: CallOptions) => Promise<DeprecatedUse[]>
  /** How the service is doing. Needs the scope `status:read`. Beta: it may still change. */
  readonly status: (options?: CallOptions) => Promise<Status>
}

export const resourcesOf = (connection: Connection): Resources => ({
  pets: createPets(connection),
  categories: createCategories(connection),
  orders: createOrders(connection),
  events: createEvents(connection),
  webhooks: createWebhooks(connection),
  keys: createKeys(connection),
  deprecations: (call) => listDeprecations(connection, call),
  status: (call) => getStatus(connection, call),
})
