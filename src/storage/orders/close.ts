import type { Order, OrderStatus } from '../../domain/types/order.ts'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import type { OrderKey } from '../../lib/ids/order-id.ts'
import { type Actor, keyIdsOf } from '../events/recorded.ts'
import { BATCHES, pgArrayLiteral } from '../postgres/batches.ts'
import { RowConcurrency, retryWhileLocked } from '../postgres/busy-rows.ts'
import { afterBeginning } from '../postgres/failures.ts'
import { type Statement, WAIT_FOR_STANDBY, type Writable } from '../postgres/statement.ts'
import { ORDER_COLUMNS, type OrderColumns, toOrders } from './order-rows.ts'

export interface Closing extends OrderKey, Actor {
  status: Exclude<OrderStatus, 'placed' | 'expired'>
}

export type Closed =
  | { outcome: 'missing' }
  /** `isNew`: by this request. Otherwise it had ended before, perhaps in another way. */
  | { outcome: 'closed'; order: Order; isNew: boolean }

type Result =
  | Closed
  /** Another transaction is changing the pet. Nothing was done. */
  | { outcome: 'busy' }
  /** It had ended before, but that could not be confirmed. */
  | { outcome: 'unconfirmed'; error: unknown }

const MAX_CLOSINGS = 200
const [NOW_CLOSED, CLOSED_BEFORE, MISSING, BUSY] = ['c', 'e', 'm', 'b']

/** Ends orders together with the holds on their pets. */
export function openClosing(db: Writable, onClosed: (status: OrderStatus) => void, onBatch?: OnBatch) {
  const batches = new Batcher({
    ...BATCHES,
    name: 'orders.close',
    onBatch,
    maxItems: MAX_CLOSINGS,
    conflictKey: ({ petId }: Closing) => petId,
    send: (closings, deadline) => closeAll(db, closings, deadline),
  })
  const concurrency = new RowConcurrency()
  return (closing: Closing, caller?: Caller): Promise<Closed> => {
    // The statement may have been sent twice, and the first one be what keeps the pet busy, and be committed later.
    let wasBusy = false
    const attempt = async () => {
      const result = await batches.submit(closing, caller)
      if (result.outcome === 'unconfirmed') throw result.error
      if (result.outcome === 'closed' && result.isNew) onClosed(result.order.status)
      wasBusy ||= result.outcome === 'busy'
      return result.outcome === 'busy' ? undefined : result
    }
    return concurrency
      .run(closing.petId, () => retryWhileLocked(attempt, caller))
      .catch((error: unknown) => {
        throw wasBusy ? afterBeginning(error) : error
      })
  }
}

async function closeAll(db: Writable, closings: Closing[], deadline: number): Promise<Result[]> {
  const [row] = await db.write<OrderColumns & { outcomes: string }>(closeStatement(closings), deadline)
  if (!row) throw new Error('a statement returned no row')
  const { outcomes } = row
  const failure = outcomes.includes(CLOSED_BEFORE) ? await confirm(db, deadline) : undefined
  const orders = toOrders(row)
  return closings.map((_, i) => {
    if (outcomes[i] === MISSING) return { outcome: 'missing' }
    if (outcomes[i] === BUSY) return { outcome: 'busy' }
    const order = orders.shift()
    if (!order) throw new Error('an order is missing in a list')
    if (failure && outcomes[i] === CLOSED_BEFORE) return failure
    return { outcome: 'closed', order, isNew: outcomes[i] === NOW_CLOSED }
  })
}

/** What had ended before may not be on the standby yet. A failure is not one of what this statement has closed: that is committed. */
async function confirm(db: Writable, deadline: number): Promise<Result | undefined> {
  try {
    await db.write(WAIT_FOR_STANDBY, deadline)
    return undefined
  } catch (error) {
    return { outcome: 'unconfirmed', error: afterBeginning(error) }
  }
}

/**
 * SQL that closes the orders of `input` (`pet`, `order_id`, `target`, `key_id`), as CTEs. It locks their pets first, as every change of an
 * order does, and skips those that others are changing, and those that the orders do not hold: an order that has ended must not
 * hold up its pet. The pet, as it is now, decides.
 * `coalesce` keeps the planner from reading all placed orders where they seem to be few.
 * The pet changes only if the order did.
 */
export const CLOSE_ORDERS = `
      locked as materialized (
        select id as pet, held_by from pets
        where id = any (array(select pet from input)) and held_by = any (array(select order_id from input))
        order by id for no key update skip locked),
      closed as (
        update orders set status = target, closed_at = date_trunc('milliseconds', clock_timestamp()), closed_by = key_id
        from input join locked using (pet)
        where held_by = order_id and pet_id = pet and id = order_id and coalesce(status, '') = 'placed'
        returning pet_id, id, status, closed_at, key_id),
      freed as (
        update pets
        set status = case closed.status when 'completed' then 'sold' else 'available' end,
            held_by = null, version = version + 1
        from closed where pets.id = pet_id
        returning pets.id, pets.version, name, category_id, pets.status, closed.id as order_id, closed.status as target, key_id),
      recorded as (
        insert into events (pet_id, version, type, name, category_id, status, order_id, changed, key_id)
        select id, version, 'order.' || target, name, category_id, status, order_id, 'status', key_id from freed)`

/** An order that is placed, by what this statement sees, and that it did not close, is being changed by another transaction. */
export function closeStatement(closings: Closing[]): Statement {
  return {
    name: 'orders.close',
    text: `
      with input as materialized (
        select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[])
          with ordinality as new (pet, order_id, target, key_id, position)),${CLOSE_ORDERS},
      result as (
        select position, pet_id, id, expires_at, reference, placed_by,
               coalesce(closed.status, seen.status) as status, coalesce(closed.closed_at, seen.closed_at) as closed_at,
               coalesce(closed.key_id, seen.closed_by) as closed_by,
               case when closed.id is not null then '${NOW_CLOSED}' when seen.id is null then '${MISSING}'
                    when seen.status = 'placed' then '${BUSY}' else '${CLOSED_BEFORE}' end as outcome
        from input
        left join lateral (select * from orders where pet_id = pet and id = order_id limit 1) as seen on true
        left join closed using (pet_id, id))
      select (select string_agg(outcome, '' order by position) from result) as outcomes, ${ORDER_COLUMNS}
      from (
        select * from result where outcome in ('${NOW_CLOSED}', '${CLOSED_BEFORE}') order by position) as orders`,
    values: [
      pgArrayLiteral(closings.map(({ petId }) => petId)),
      pgArrayLiteral(closings.map(({ id }) => id)),
      pgArrayLiteral(closings.map(({ status }) => status)),
      keyIdsOf(closings),
    ],
  }
}
