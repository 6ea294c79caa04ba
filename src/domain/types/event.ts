import type { Order } from './order.ts'
import type { Int64, PetRecord, PetStatus } from './pet.ts'

export const ORDER_TYPES = ['order.placed', 'order.completed', 'order.cancelled', 'order.expired'] as const
/** In pages of the feed, each type has the bit of its place in this list: add new types at the end. */
export const EVENT_TYPES = ['pet.created', 'pet.updated', 'pet.deleted', ...ORDER_TYPES, 'pets.imported'] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Ids from the first to the last, both of them included. */
export interface IdRange {
  first: bigint
  last: bigint
}

/** What the fields that have changed were before; `null` for a status that was absent. */
export interface PreviousValues {
  name?: string | undefined
  categoryId?: Int64 | undefined
  status?: PetStatus | null | undefined
}

/** A change of a pet, or of the whole store. */
export interface Event {
  id: string
  /** 0 for an event of the whole store. */
  petId: bigint
  /** In microseconds since 1970. */
  at: bigint
  /** Its number in the feed, in digits; undefined in a history. */
  sequence: string | undefined
  type: EventType
  /** As it was after the change; undefined for an event of the whole store. */
  pet: PetRecord | undefined
  order: Order | undefined
  /** How many pets an import has added, and their ids if they are known. */
  added: Int64 | undefined
  idRanges: readonly IdRange[] | undefined
  /** The names of the fields that have changed. */
  changed: readonly string[] | undefined
  /** What they were before. A `pet.updated` event of an earlier version does not have it. */
  previous: PreviousValues | undefined
  /** The key that made the change; undefined where the service itself or its operator acted. */
  keyId: string | undefined
}

/** A position in the feed: after the event with this number, in the page that has this random token. */
export interface FeedPosition {
  sequence: bigint
  pageToken: bigint
}

/** What a page of each walk through events has. Equal requests that arrive together share one. */
export interface EventPage {
  readonly events: readonly Event[]
}
