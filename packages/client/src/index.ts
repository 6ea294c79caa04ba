import { type Categories, createCategories } from './categories.ts'
import { connect } from './connection.ts'
import { listDeprecations } from './deprecations.ts'
import { createEvents, type Events } from './events.ts'
import type { EventPage } from './feed.ts'
import { createKeys, type Keys } from './keys.ts'
import type { DeprecatedUse, Status } from './kinds.ts'
import { type MirrorOptions, mirror, type PetCopy } from './mirror.ts'
import type { CallOptions, PetstoreOptions } from './options.ts'
import { createOrders, type Orders } from './orders.ts'
import { createPets, type Pets } from './pets.ts'
import { getStatus } from './status.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

export type { Categories, CategoryList, CategoryListOptions, CategoryPage } from './categories.ts'
export { type ErrorCode, PetstoreError } from './errors.ts'
export type {
  EventList,
  EventListOptions,
  Events,
  HistoryOptions,
  NewestList,
  NewestOptions,
  NewestPage,
} from './events.ts'
export type { EventPage, FollowOptions, From } from './feed.ts'
export { parse, stringify } from './json.ts'
export type { KeyList, KeyListOptions, KeyPage, Keys } from './keys.ts'
export type {
  Category,
  CategoryCounts,
  DeprecatedUse,
  EventType,
  ImportEvent,
  Key,
  KeyName,
  ListedKey,
  NewOrder,
  NewPet,
  NewWebhook,
  Order,
  OrderCount,
  OrderCounts,
  OrderEvent,
  OrderStatus,
  Pet,
  PetCount,
  PetCounts,
  PetEvent,
  PetPatch,
  PetRecord,
  PetStatus,
  PetstoreEvent,
  PingEvent,
  Status,
  Webhook,
  WebhookAttempt,
  WebhookEvent,
  WebhookPatch,
  WebhookWithSecret,
} from './kinds.ts'
export type { MirrorOptions, PetCopy } from './mirror.ts'
export type { CallOptions, CreateOptions, PetstoreOptions, Retry } from './options.ts'
export type { OrderList, OrderListOptions, OrderPage, Orders } from './orders.ts'
export type { ChangeOptions, CountOptions, ListOptions, PetList, PetPage, Pets } from './pets.ts'
export type { RateLimit, ResponseInfo } from './response-info.ts'
export {
  verifyWebhook,
  type WebhookErrorCode,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts'
export type { RotateOptions, Webhooks } from './webhooks.ts'

export interface Petstore {
  readonly pets: Pets
  /** Names of categories, and how many pets they have. Beta: it may still change. */
  readonly categories: Categories
  /** Reserve and sell pets. Beta: it may still change. */
  readonly orders: Orders
  /** What has changed. Beta: it may still change. */
  readonly events: Events
  /**
   * Keeps a copy of all pets, without an end: it is complete when the first page comes, and contains each page that comes. Store `next`
   * of each page to continue in another process with the same copy. Beta: it may still change.
   */
  readonly mirror: (copy: PetCopy, options?: MirrorOptions) => AsyncGenerator<EventPage, void, void>
  /** Have events sent to a URL of yours. Beta: it may still change. */
  readonly webhooks: Webhooks
  /** This client's key and, if it may see them, those of others. Beta: it may still change. */
  readonly keys: Keys
  /** Which deprecated operations this key has called, how often and when, and what replaces them. Beta: it may still change. */
  readonly deprecations: (options?: CallOptions) => Promise<DeprecatedUse[]>
  /** How the service is doing. Needs the scope `status:read`. Beta: it may still change. */
  readonly status: (options?: CallOptions) => Promise<Status>
}

/**
 * A client of the service at `baseUrl`. It holds no connection of its own, and needs no closing.
 *
 * @throws {TypeError} If `baseUrl` is not a URL with a version, `key` not an API key, or the runtime too old for 64-bit ids.
 */
export function createPetstore(options: PetstoreOptions): Petstore {
  const connection = connect(options)
  return {
    pets: createPets(connection),
    categories: createCategories(connection),
    orders: createOrders(connection),
    events: createEvents(connection),
    mirror: (copy, call) => mirror(connection, copy, call),
    webhooks: createWebhooks(connection),
    keys: createKeys(connection),
    deprecations: (call) => listDeprecations(connection, call),
    status: (call) => getStatus(connection, call),
  }
}
