import type { EventQuery } from './event-query.ts'
import type { Json } from './json.ts'
import type { ListQuery } from './list-query.ts'
import type { NewPet, Pet } from './new-pet.ts'
import type { OrderQuery } from './order-query.ts'
import type { NewOrder, Order, PetState, Window, World } from './world.ts'

/** What the contract demands of the response to one request. */
export interface Expectation {
  statuses: number[]
  /** The codes an error may have. */
  codes?: string[]
  /** What the message of an error must contain. */
  says?: string[]
  /** Rejected before its body was read: the connection must not be used again. */
  bodyUnread?: boolean
  /** What a deprecated response names as its successor, from the version on. */
  successor?: string
  /** Of a path that exists; OPTIONS and 405 name it. */
  allow?: string
  /** Whether the path has a PATCH, whose media types OPTIONS and 415 name. */
  patches?: boolean
  /** The scope that the key lacks. */
  scope?: string
  /** Missing otherwise. */
  etag?: string
  /** Of a pet about which nothing is known. */
  hasAnyEtag?: boolean
  creates?: NewPet
  /** The API key that it is created with: Idempotency-Keys belong to it, and events name it. */
  apiKey?: string
  /** The Idempotency-Key that the pet or the order is created by. */
  idempotencyKey?: string
  /** The pet that this key has created before. */
  replays?: Pet
  list?: ListQuery
  petId?: bigint
  /** The pet after a change. */
  record?: PetState & { id: bigint }
  places?: NewOrder
  /** The body of the response that this key has had before. */
  repeats?: string
  /** The order that is shown; without `closedAt` where it has ended at a time that is not known yet. */
  order?: Order
  /** The order that is shown while it may be changing. */
  changingOrder?: Order
  orders?: OrderQuery
  events?: EventQuery
  /** What is shown: one webhook, with its secret where it is new, all of them, or attempts. */
  webhooks?: 'shown' | 'new' | 'rotated' | 'list' | 'attempts'
  /** What is so after this response. */
  next?: (body: Json | undefined) => World
}

/** Lists with cursors of their own. */
export type Walk = 'oldest' | 'newest' | 'orders' | 'feed' | `history of ${bigint}`

/** What a run knows. */
export interface Knowledge {
  /** The API key that may do everything. */
  key: string
  /** An API key with the scopes that keys had before there were orders. */
  earlierKey: string | undefined
  createdBy: (key: string, idempotencyKey: string) => Pet | undefined
  orderedBy: (idempotencyKey: string) => { order: NewOrder; body: string } | undefined
  world: (petId: bigint) => World | undefined
  petOf: (orderId: string) => bigint | undefined
  /** The kind of list that has returned this cursor. */
  walkOf: (cursor: string) => Walk | undefined
  /** Whether no other request can have changed the pet meanwhile. */
  isSettled: (petId: bigint, window: Window) => boolean
}

export type Reject = (status: number, ...codes: string[]) => Expectation
