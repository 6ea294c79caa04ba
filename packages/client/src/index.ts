import { connect, type PetstoreOptions } from './connection.ts'
import { listDeprecations } from './deprecations.ts'
import { createKeys, type Keys } from './keys.ts'
import type { DeprecatedUse } from './kinds.ts'
import type { CallOptions } from './options.ts'
import { createOrders, type Orders } from './orders.ts'
import { createPets, type Pets } from './pets.ts'

export type { PetstoreOptions, Retry } from './connection.ts'
export { type ErrorCode, PetstoreError } from './errors.ts'
export { parse, stringify } from './json.ts'
export type { Keys } from './keys.ts'
export type {
  DeprecatedUse,
  Key,
  NewOrder,
  NewPet,
  Order,
  OrderStatus,
  Pet,
  PetPatch,
  PetRecord,
  PetStatus,
} from './kinds.ts'
export type { CallOptions, CreateOptions } from './options.ts'
export type { OrderList, OrderListOptions, OrderPage, Orders } from './orders.ts'
export type { ChangeOptions, ListOptions, PetList, PetPage, Pets } from './pets.ts'
export type { RateLimit, ResponseInfo } from './response-info.ts'

export interface Petstore {
  readonly pets: Pets
  /** Reserve and sell pets. Beta: it may still change. */
  readonly orders: Orders
  readonly keys: Keys
  /** Which deprecated operations this key has called, how often and when, and what replaces them. Beta: it may still change. */
  deprecations(options?: CallOptions): Promise<DeprecatedUse[]>
}

/**
 * A client of the service at `baseUrl`. It holds no connection of its own, and needs no closing.
 *
 * @throws {TypeError} If `baseUrl` is not a URL or `key` not an API key.
 */
export function createPetstore(options: PetstoreOptions): Petstore {
  const connection = connect(options)
  return {
    pets: createPets(connection),
    orders: createOrders(connection),
    keys: createKeys(connection),
    deprecations: (call) => listDeprecations(connection, call),
  }
}
