import type { BuyersRecord } from '../record.ts'
import type { StoredOrder, StoredPet, StoredShop } from '../stored.ts'

/** What is judged, with the ways to look things up. */
export interface Shop {
  record: BuyersRecord
  stored: StoredShop
  orders: ReadonlyMap<string, StoredOrder>
  pets: ReadonlyMap<bigint, StoredPet>
  /** In the order of their versions. */
  ordersOf: ReadonlyMap<bigint, StoredOrder[]>
}

export interface Rule {
  /** As the beginning of a sentence. */
  must: string
  /** What breaks it. */
  broken: (shop: Shop) => string[]
}
