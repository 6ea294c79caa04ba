import { isObject } from './json.ts'
import { type components, INT64, type operations } from './openapi.ts'

export type Pet = components['schemas']['Pet']
export type PetRecord = components['schemas']['PetRecord']
export type NewPet = components['schemas']['NewPet']
export type PetPatch = AtLeastOne<components['schemas']['PetPatch']>
export type PetStatus = components['schemas']['PetStatus']
export type PetCount = components['schemas']['PetCount']
export type Category = components['schemas']['Category']
export type CategoryCounts = components['schemas']['CategoryCounts']
export type PetCounts = components['schemas']['PetCounts']
export type Order = components['schemas']['Order']
export type NewOrder = components['schemas']['NewOrder']
export type OrderStatus = components['schemas']['OrderStatus']
export type OrderCount = components['schemas']['OrderCount']
export type OrderCounts = components['schemas']['OrderCounts']
export type EventType = NonNullable<NonNullable<operations['listEvents']['parameters']['query']>['type']>[number]
/** A pet was added, changed or deleted: `data.pet` is the pet after it. */
export type PetEvent = EventOf<Extract<EventType, `pet.${string}`>, 'pet'>
/** An order was placed or has ended: `data.order` is the order, `data.pet` its pet. */
export type OrderEvent = EventOf<Extract<EventType, `order.${string}`>, 'pet' | 'order'>
/** Many pets were added: `data.added` is how many. */
export type ImportEvent = EventOf<'pets.imported', 'added'>
/** What `webhooks.ping` asks for. */
export type PingEvent = EventOf<'webhook.ping', never>
/**
 * One change of one pet, or an import of many. Its `type` says what `data` has. Later versions of the service may have other types:
 * ignore those that you do not know. Not named `Event`, which browsers have.
 */
export type PetstoreEvent = PetEvent | OrderEvent | ImportEvent
/** What a webhook receives: an event of the feed, or a ping. */
export type WebhookEvent = PetstoreEvent | PingEvent
export type Webhook = components['schemas']['Webhook']
export type WebhookWithSecret = components['schemas']['WebhookWithSecret']
export type NewWebhook = components['schemas']['NewWebhook']
export type WebhookPatch = AtLeastOne<components['schemas']['WebhookPatch']>
export type WebhookAttempt = components['schemas']['WebhookAttempt']
export type Key = components['schemas']['Key']
export type ListedKey = components['schemas']['ListedKey']
export type KeyName = components['schemas']['KeyName']
export type Status = components['schemas']['Status']
export type DeprecatedUse = components['schemas']['DeprecatedUse']

type AnyEvent = components['schemas']['Event']
type EventData = AnyEvent['data']

/** An event of one of these types. Of what identifies a kind of event, its data has these fields always and the others never. */
type EventOf<Type extends string, Has extends keyof EventData> = Omit<AnyEvent, 'type' | 'data'> & {
  type: Type
  data: Required<Pick<EventData, Has>> & {
    [Name in Exclude<'pet' | 'order' | 'added', Has>]?: undefined
  } & Omit<EventData, 'pet' | 'order' | 'added'>
}

/** One or more of `Fields`. */
type AtLeastOne<Fields> = { [Name in keyof Fields]-?: Fields & Required<Pick<Fields, Name>> }[keyof Fields]

/** What a response can contain. */
export interface Kind<Item> {
  name: string
  /** Which of its fields are 64-bit integers. */
  int64: readonly string[]
  is: (value: unknown) => value is Item
}

export const PET: Kind<Pet> = { name: 'pet', int64: INT64.Pet, is: isPet }
export const PET_RECORD: Kind<PetRecord> = { name: 'pet with a version', int64: INT64.PetRecord, is: isPetRecord }
export const PET_COUNT: Kind<PetCount> = { name: 'count of pets', int64: [], is: isPetCount }
export const PET_COUNTS: Kind<PetCounts> = { name: 'counts of pets', int64: [], is: isPetCounts }
export const CATEGORY: Kind<Category> = { name: 'category', int64: INT64.Category, is: isCategory }
export const ORDER: Kind<Order> = { name: 'order', int64: INT64.Order, is: isOrder }
export const ORDER_COUNT: Kind<OrderCount> = { name: 'count', int64: [], is: isOrderCount }
export const ORDER_COUNTS: Kind<OrderCounts> = { name: 'counts', int64: [], is: isOrderCounts }
export const EVENT: Kind<PetstoreEvent> = { name: 'event', int64: INT64.Event, is: isEvent }
export const WEBHOOK: Kind<Webhook> = { name: 'webhook', int64: [], is: isWebhook }
export const WEBHOOK_WITH_SECRET: Kind<WebhookWithSecret> = {
  name: 'webhook with a secret',
  int64: [],
  is: isWebhookWithSecret,
}
export const WEBHOOK_ATTEMPT: Kind<WebhookAttempt> = { name: 'attempt', int64: [], is: isWebhookAttempt }
export const KEY: Kind<Key> = { name: 'key', int64: [], is: isKey }
export const LISTED_KEY: Kind<ListedKey> = { name: 'listed key', int64: INT64.ListedKey, is: isListedKey }
export const KEY_NAME: Kind<KeyName> = { name: 'name of a key', int64: [], is: isKeyName }
export const STATUS: Kind<Status> = { name: 'status', int64: [], is: isStatus }
export const DEPRECATED_USE: Kind<DeprecatedUse> = {
  name: 'deprecated operation',
  int64: INT64.DeprecatedUse,
  is: isDeprecatedUse,
}

function isPet(value: unknown): value is Pet {
  return (
    isObject(value) &&
    typeof value['id'] === 'bigint' &&
    typeof value['name'] === 'string' &&
    typeof value['categoryId'] === 'bigint'
  )
}

function isPetRecord(value: unknown): value is PetRecord {
  return isPet(value) && 'version' in value && typeof value.version === 'bigint'
}

function isPetCount(value: unknown): value is PetCount {
  return isObject(value) && typeof value['count'] === 'number' && typeof value['isMore'] === 'boolean'
}

function isPetCounts(value: unknown): value is PetCounts {
  return isObject(value) && typeof value['available'] === 'number' && typeof value['none'] === 'number'
}

function isCategory(value: unknown): value is Category {
  return isObject(value) && typeof value['id'] === 'bigint' && typeof value['name'] === 'string'
}

function isOrder(value: unknown): value is Order {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['petId'] === 'bigint' &&
    typeof value['status'] === 'string'
  )
}

function isOrderCount(value: unknown): value is OrderCount {
  return isObject(value) && typeof value['count'] === 'number' && typeof value['isMore'] === 'boolean'
}

function isOrderCounts(value: unknown): value is OrderCounts {
  return isObject(value) && Array.isArray(value['counts']) && value['counts'].every(isOrderCount)
}

function isEvent(value: unknown): value is PetstoreEvent {
  if (!isObject(value) || typeof value['type'] !== 'string' || !isObject(value['data'])) return false
  const { pet, order } = value['data']
  return (
    typeof value['id'] === 'string' &&
    (pet === undefined || isPetRecord(pet)) &&
    (order === undefined || isOrder(order))
  )
}

function isWebhook(value: unknown): value is Webhook {
  return isObject(value) && typeof value['url'] === 'string' && typeof value['state'] === 'string'
}

function isWebhookWithSecret(value: unknown): value is WebhookWithSecret {
  return isWebhook(value) && 'secret' in value && typeof value.secret === 'string'
}

function isWebhookAttempt(value: unknown): value is WebhookAttempt {
  return isObject(value) && typeof value['eventId'] === 'string'
}

function isKey(value: unknown): value is Key {
  return isObject(value) && Array.isArray(value['scopes'])
}

function isDeprecatedUse(value: unknown): value is DeprecatedUse {
  return isObject(value) && typeof value['operation'] === 'string' && typeof value['calls'] === 'bigint'
}

function isListedKey(value: unknown): value is ListedKey {
  return isKey(value) && 'deprecatedCalls' in value && typeof value.deprecatedCalls === 'bigint'
}

function isKeyName(value: unknown): value is KeyName {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['name'] === 'string'
}

function isStatus(value: unknown): value is Status {
  return isObject(value) && isObject(value['database']) && isObject(value['feed'])
}
