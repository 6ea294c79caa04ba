import { asLeader } from '../postgres/leader.ts'
import { LOCKS } from '../postgres/locks.ts'
import { type Statement, type Transactional, WITHOUT_SEQ_SCAN } from '../postgres/statement.ts'
import { CLOSE_ORDERS } from './close.ts'

const PART = 500

/** A part of the orders whose time is up. */
export interface ExpiredPart {
  expired: number
  /** How many of them others are changing: they are left for later. */
  skipped: number
  isLast: boolean
  /** How long ago the first of them should have expired. */
  lagSeconds: number
}

/** Expires orders, the oldest first, after as many as were skipped. Undefined while another process is doing it. */
export function expirePart(db: Transactional, skip: number): Promise<ExpiredPart | undefined> {
  return asLeader(db, LOCKS.orderExpiry, async (transaction) => {
    await transaction.query(WITHOUT_SEQ_SCAN)
    const [row] = await transaction.query<{ due: number; expired: number; lag: number }>(expireStatement(skip))
    if (!row) throw new Error('a statement returned no row')
    const { due, expired, lag } = row
    return { expired, skipped: due - expired, isLast: due < PART, lagSeconds: lag }
  })
}

export function expireStatement(skip: number): Statement {
  return {
    name: 'orders.expire',
    text: `
      with input as materialized (
        select pet_id as pet, id as order_id, 'expired' as target, null as key_id, expires_at from orders
        where status = 'placed' and expires_at <= now() order by expires_at offset $1 limit $2),${CLOSE_ORDERS}
      select count(*)::int as due, (select count(*)::int from closed) as expired,
             coalesce(extract(epoch from now() - min(expires_at)), 0)::float8 as lag
      from input`,
    values: [skip, PART],
  }
}
