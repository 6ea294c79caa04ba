import { pgArrayLiteral } from '../postgres/batches.ts'

export interface NewOrder {
  petId: bigint
  /** In seconds. */
  expiresIn: number
  reference?: string | undefined
  /** How many orders of its chain may be open with it; undefined for any number. */
  mostOpen?: number | undefined
}

/** Why an order was not placed: no such pet; its status (`none` if it has none); `held` by another order; too many are open (`full`). */
const REJECTIONS = ['missing', 'none', 'pending', 'held', 'sold', 'full'] as const
export type Rejection = (typeof REJECTIONS)[number]

/**
 * What a statement reports of an order that it did not place. `busy`: another transaction is changing the pet, or an order before it in
 * its batch was to take the last place of its chain: nothing is known yet.
 */
const REPORTED = [...REJECTIONS, 'busy'] as const

/** The room of a chain without a limit: more than a batch has. */
export const ANY_NUMBER = 256

export function rejectionOf(word: string | undefined) {
  return REPORTED.find((known) => known === word)
}

/** The orders of a batch as arrays, one for each column: `pet`, `expires_in`, `reference`, `most_open`. */
export function orderColumns(orders: NewOrder[]) {
  return [
    pgArrayLiteral(orders.map(({ petId }) => petId)),
    pgArrayLiteral(orders.map(({ expiresIn }) => expiresIn)),
    orders.map(({ reference = null }) => reference),
    pgArrayLiteral(orders.map(({ mostOpen = null }) => mostOpen)),
  ]
}
