import type { OrderKey } from '../../lib/ids/order-id.ts'

export type OrderStatus = 'placed' | 'completed' | 'cancelled' | 'expired'

/** An order; its id has the time at which it was placed. */
export interface Order extends OrderKey {
  status: OrderStatus
  /** In milliseconds since 1970, like `closedAt`. */
  expiresAt: bigint
  /** Only once it has ended. */
  closedAt?: bigint | undefined
  reference?: string | undefined
  /** The ids of keys: of the one that placed it, and of the one that closed it, if a client did. */
  placedBy?: string | undefined
  closedBy?: string | undefined
}

/** How many orders there are, up to a number beyond which they are not counted. */
export interface OrderCount {
  count: number
  isMore: boolean
}

/** An order in a walk by times, in microseconds since 1970. */
export interface OrderPosition extends OrderKey {
  time: bigint
}

/** A part of a walk by times: the open orders by when they expire, or others by when they ended. */
export interface OrderPageByTime {
  readonly orders: readonly Order[]
  /** The order after which the next page begins; absent on the last page. */
  readonly next?: OrderPosition
}

/** A part of a walk, the newest first. Equal requests that arrive together share one. */
export interface OrderPage {
  readonly orders: readonly Order[]
  /** The order after which the next page begins; absent on the last page. */
  readonly next?: OrderKey
}
