import { readBaseUrl } from './base-url.ts'
import { connect } from './connection.ts'
import { keySource } from './credentials.ts'
import type { EventPage } from './feed.ts'
import { type MirrorOptions, mirror, type PetCopy } from './mirror.ts'
import type { PetstoreOptions } from './options.ts'
import { type Resources, resourcesOf } from './resources.ts'

export type { Categories, CategoryList, CategoryListOptions, CategoryPage, NameOptions } from './categories.ts'
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

export interface Petstore extends Resources {
  /**
   * Keeps a copy of all pets, without an end: it is complete when the first page comes, and contains each page that comes. Store `next`
   * of each page to continue in another process with the same copy.
   */
  readonly mirror: (copy: PetCopy, options?: MirrorOptions) => AsyncGenerator<EventPage, void, void>
}

/**
 * A client of the service at `baseUrl`. It holds no connection of its own, and needs no closing.
 *
 * @throws {TypeError} If `baseUrl` is not a URL with a version, `key` not an API key, or the runtime too old for 64-bit ids.
 */
export function createPetstore(options: PetstoreOptions): Petstore {
  const connection = connect(options, readBaseUrl(options.baseUrl), keySource(options))
  return {
    ...resourcesOf(connection),
    mirror: (copy, call) => mirror(connection, copy, call),
  }
}
