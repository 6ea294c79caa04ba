import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { NEXT_ORDER_ID, PLACED_AT_MS } from '../../lib/ids/order-id.ts'
import { type Actor, keyIdsOf } from '../events/recorded.ts'
import { pgArrayLiteral, WRITE_ONCE_BATCHES } from '../postgres/batches.ts'
import { int64sOf, valueAt } from '../postgres/columns.ts'
import { OutcomeUnknown } from '../postgres/failures.ts'
import type { Statement, Writable } from '../postgres/statement.ts'
import type { ChainTurns } from './chain-turns.ts'
import { ANY_NUMBER, type NewOrder, orderColumns, type Rejection, rejectionOf } from './new-order.ts'
import { openOfChain } from './open.ts'

/** `chainId`: the first key of the rotations that led to `keyId`. */
export type OrderToPlace = NewOrder & Actor & { chainId?: string | undefined }

type Placed = { id: bigint } | { rejection: Rejection | 'busy' }

const MAX_ORDERS = 200
const PLACED = 'placed'

/** Places orders without an Idempotency-Key: when the outcome is unknown, they are not placed again. */
export function openPlacing(db: Writable, turns: ChainTurns, onUnknown: () => void, onBatch?: OnBatch) {
  const batches = new Batcher({
    ...WRITE_ONCE_BATCHES,
    name: 'orders.place',
    onBatch,
    maxItems: MAX_ORDERS,
    send: (orders: OrderToPlace[], deadline) =>
      turns
        .take(
          orders.map(({ chainId }) => chainId),
          () => placeAll(db, orders, deadline),
        )
        .catch((error: unknown) => {
          if (error instanceof OutcomeUnknown) onUnknown()
          throw error
        }),
  })
  return (order: OrderToPlace, caller?: Caller) => batches.submit(order, caller)
}

async function placeAll(db: Writable, orders: OrderToPlace[], deadline: number): Promise<Placed[]> {
  const [row] = await db.writeOnce<{ ids: string; outcomes: string }>(placeStatement(orders), deadline)
  const ids = int64sOf(row?.ids, orders.length)
  const outcomes = row?.outcomes.split(',') ?? []
  return orders.map((_, i) => {
    if (outcomes[i] === PLACED) return { id: valueAt(ids, i) }
    const rejection = rejectionOf(outcomes[i])
    if (!rejection) throw new Error(`the outcome of an order is ${outcomes[i]}`)
    return { rejection }
  })
}

/**
 * Places orders in one statement:
 *
 * - `input` draws the ids. Their last bits are the position in the batch, which has fewer than 256: within a batch ids differ, so that a
 *   row that is joined by its id is never another's.
 * - `chains` finds how many more orders each chain may place: one count for each, which reads no more orders than may be open. Orders
 *   that other transactions are placing are not seen.
 * - `locked` locks the pets that are available, without waiting for those that others are changing, and reads them as they are now. Those
 *   that can't be ordered are not locked: buyers who ask for them must not be in the way of the one who holds them.
 * - `winners` are the orders to place: for each pet the first, and for each chain as many as it has room for.
 * - `held` changes the pets of what was `inserted` and no others: there is no order without its pet, and no hold without its order.
 */
export function placeStatement(orders: OrderToPlace[]): Statement {
  return {
    name: 'orders.place',
    text: `
      with input as materialized (
        select ((${NEXT_ORDER_ID}) & -256) + (position & 255) as id,
               pet, expires_in, reference, most_open, api_key_id, chain_id, position
        from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[])
          with ordinality as new (pet, expires_in, reference, most_open, api_key_id, chain_id, position)),
      limits as (select chain_id, max(most_open) as most from input where most_open is not null group by chain_id),
      chains as materialized (
        select chain_id, most - (
          select count(*) from (
            select from orders where ${openOfChain('limits.chain_id')}
            order by orders.chain_id, orders.id limit most) as open) as room
        from limits),
      wanted as materialized (
        select id, pet, chain_id, position, case when most_open is null then ${ANY_NUMBER} else room end as room
        from input left join chains using (chain_id)),
      locked as materialized (
        select id as pet, version from pets
        where id = any (array(select pet from wanted where room > 0)) and status = 'available'
        order by id for no key update skip locked),
      winners as (
        select * from input where id in (
          select id
          from (
            select id, room, row_number() over (partition by chain_id order by position) as place
            from (
              select distinct on (pet) * from wanted join locked using (pet)
              where room > 0 order by pet, position) as first_of_pet) as ranked
          where place <= room)),
      inserted as (
        insert into orders (pet_id, id, version, expires_at, reference, placed_by, chain_id)
        select pet, id, version + 1,
               timestamptz 'epoch' + (${PLACED_AT_MS} + expires_in * 1000) * interval '1 millisecond', reference,
               api_key_id, chain_id
        from winners join locked using (pet)
        returning pet_id, id, version),
      held as (
        update pets set status = 'pending', held_by = inserted.id, version = inserted.version
        from inserted where pets.id = inserted.pet_id
        returning pets.id, pets.version, name, category_id, pets.status, inserted.id as order_id),
      recorded as (
        insert into events (pet_id, version, type, name, category_id, status, order_id, changed, key_id)
        select held.id, version, 'order.placed', name, category_id, status, order_id, 'status', api_key_id
        from held join winners on winners.id = order_id),
      outcomes as (
        select wanted.id, wanted.position,
               case when winners.id = wanted.id then '${PLACED}'
                    when winners.pet is not null then 'held'
                    when locked.pet is not null or seen.status = 'available' then case when room <= 0 then 'full' else 'busy' end
                    when seen.id is null then 'missing'
                    when seen.held_by is not null then 'held'
                    else coalesce(seen.status, 'none') end as outcome
        from wanted left join locked using (pet)
        left join lateral (
          select id, status, held_by from pets where pets.id = wanted.pet and locked.pet is null limit 1) as seen on true
        left join winners using (pet))
      select string_agg(id::text, ',' order by position) as ids, string_agg(outcome, ',' order by position) as outcomes
      from outcomes`,
    values: [...orderColumns(orders), keyIdsOf(orders), pgArrayLiteral(orders.map(({ chainId = null }) => chainId))],
  }
}
