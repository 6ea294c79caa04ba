/** When a call began and ended, on the clock of performance.now(). */
export interface Span {
  begun: number
  at: number
}

export type Ending = 'completed' | 'cancelled'

/** An order as its 201 had it. */
export interface Placed extends Span {
  orderId: string
  petId: bigint
  /** No two calls have the same. */
  reference: string
  expiresAt: string
}

/** A call that completes or cancels: acknowledged with 200, rejected because the order had ended otherwise, or given up. */
export interface Ended extends Span {
  orderId: string
  as: Ending
  result: 'acknowledged' | 'rejected' | 'unknown'
}

/** A version that a response had. */
export interface Seen extends Span {
  petId: bigint
  version: bigint
}

/** A change or a deletion by hand; `version` is what the response of a change had, and absent where none came. */
export interface Edited extends Span {
  petId: bigint
  version?: bigint | undefined
}

/** The requests of the buyers, and the responses. */
export interface BuyersRecord {
  placed: Placed[]
  ended: Ended[]
  seen: Seen[]
  edited: Edited[]
  /** Deletions that were acknowledged, and those that were given up. */
  deleted: bigint[]
  perhapsDeleted: bigint[]
}

export function emptyRecord(): BuyersRecord {
  return { placed: [], ended: [], seen: [], edited: [], deleted: [], perhapsDeleted: [] }
}

/** How many calls were acknowledged. */
export function acknowledgedIn({ placed, ended, edited, deleted }: BuyersRecord) {
  return (
    placed.length +
    ended.filter(({ result }) => result === 'acknowledged').length +
    edited.filter(({ version }) => version !== undefined).length +
    deleted.length
  )
}
