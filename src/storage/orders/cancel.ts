import { type Queryable, type Statement, type Transactional, WITHOUT_SEQ_SCAN } from '../postgres/statement.ts'
import { CLOSE_ORDERS } from './close.ts'
import { openOfChain } from './open.ts'

const PART = 500

/** The orders of a chain that are open now: how many, and the last of them. Those that are placed later are not meant. */
export interface OpenOrders {
  count: number
  upTo: bigint
}

export async function readOpen(db: Queryable, chainId: string): Promise<OpenOrders> {
  const [row] = await db.query<{ count: number; upTo: string }>({
    name: 'orders.open',
    text: `
      select count(*)::int as count, coalesce(max(id), 0)::text as "upTo" from orders
      where ${openOfChain('$1')}`,
    values: [chainId],
  })
  if (!row) throw new Error('a statement returned no row')
  return { count: row.count, upTo: BigInt(row.upTo) }
}

/** A part of the orders of a chain. */
export interface CancelledPart {
  cancelled: number
  /** How many of them others are changing: they are left for later. */
  skipped: number
  isLast: boolean
}

/** Cancels open orders of a chain up to this id, the oldest first, after as many as were skipped. No key has closed them. */
export function cancelPart(db: Transactional, chainId: string, upTo: bigint, skip: number): Promise<CancelledPart> {
  return db.transaction(async (transaction) => {
    await transaction.query(WITHOUT_SEQ_SCAN)
    const [row] = await transaction.query<{ found: number; cancelled: number }>(cancelStatement(chainId, upTo, skip))
    if (!row) throw new Error('a statement returned no row')
    const { found, cancelled } = row
    return { cancelled, skipped: found - cancelled, isLast: found < PART }
  })
}

export function cancelStatement(chainId: string, upTo: bigint, skip: number): Statement {
  return {
    name: 'orders.cancel',
    text: `
      with input as materialized (
        select pet_id as pet, id as order_id, 'cancelled' as target, null as key_id from orders
        where ${openOfChain('$1', '$2')} order by chain_id, id offset $3 limit $4),${CLOSE_ORDERS}
      select count(*)::int as found, (select count(*)::int from closed) as cancelled from input`,
    values: [chainId, upTo, skip, PART],
  }
}
