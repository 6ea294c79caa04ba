import { isObject } from './json.ts'
import { type components, INT64, type operations } from './openapi.ts'

export type Pet = components['schemas']['Pet']
export type PetRecord = components['schemas']['PetRecord']
export type NewPet = components['schemas']['NewPet']
export type PetPatch = components['schemas']['PetPatch']
export type PetStatus = components['schemas']['PetStatus']
export type Order = components['schemas']['Order']
export type NewOrder = components['schemas']['NewOrder']
export type OrderStatus = components['schemas']['OrderStatus']
/** One change of one pet, or an import of many. Not named `Event`, which browsers have. */
export type PetstoreEvent = components['schemas']['Event']
export type EventType = NonNullable<NonNullable<operations['listEvents']['parameters']['query']>['type']>[number]
/** What a webhook receives: an event of the feed, or the one that `webhooks.ping` asks for, which has no pet. */
export type WebhookEvent = PetstoreEvent & { type: EventType | 'webhook.ping' | AnyOther }
export type Webhook = components['schemas']['Webhook']
export type WebhookWithSecret = components['schemas']['WebhookWithSecret']
export type NewWebhook = components['schemas']['NewWebhook']
export type WebhookPatch = components['schemas']['WebhookPatch']
export type WebhookAttempt = components['schemas']['WebhookAttempt']
export type Key = components['schemas']['Key']
export type DeprecatedUse = components['schemas']['DeprecatedUse']

/** Keeps known values in the suggestions of editors, which `string` alone would not: a later version of the service may have others. */
type AnyOther = string & {}

/** What a response can contain. */
export interface Kind<Item> {
  name: string
  /** Which of its fields are 64-bit integers. */
  int64: readonly string[]
  is: (value: unknown) => value is Item
}

export const PET: Kind<Pet> = { name: 'pet', int64: INT64.Pet, is: isPet }
export const PET_RECORD: Kind<PetRecord> = { name: 'pet with a version', int64: INT64.PetRecord, is: isPetRecord }
export const ORDER: Kind<Order> = { name: 'order', int64: INT64.Order, is: isOrder }
export const EVENT: Kind<PetstoreEvent> = { name: 'event', int64: INT64.Event, is: isEvent }
export const WEBHOOK: Kind<Webhook> = { name: 'webhook', int64: [], is: isWebhook }
export const WEBHOOK_WITH_SECRET: Kind<WebhookWithSecret> = {
  name: 'webhook with a secret',
  int64: [],
  is: isWebhookWithSecret,
}
export const WEBHOOK_ATTEMPT: Kind<WebhookAttempt> = { name: 'attempt', int64: [], is: isWebhookAttempt }
export const KEY: Kind<Key> = { name: 'key', int64: [], is: isKey }
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

function isOrder(value: unknown): value is Order {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['petId'] === 'bigint' &&
    typeof value['status'] === 'string'
  )
}

function isEvent(value: unknown): value is PetstoreEvent {
  if (!isObject(value) || typeof value['type'] !== 'string' || !isObject(value['data'])) return false
  const { pet } = value['data']
  return typeof value['id'] === 'string' && (pet === undefined || isPetRecord(pet))
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
