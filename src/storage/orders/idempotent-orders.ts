import type { Caller, OnBatch } from '../../lib/batch.ts'
import { NEXT_ORDER_ID, PLACED_AT_MS } from '../../lib/ids/order-id.ts'
import { type IdempotentResult, openIdempotentInserts, readResults, type StoredBatch } from '../idempotency/inserts.ts'
import { type Idempotent, keyColumns, LEFT_OUT, NOT_STORED, STORED } from '../idempotency/stored-keys.ts'
import { retryWhileLocked } from '../postgres/busy-rows.ts'
import type { Statement, Transactional, Writable } from '../postgres/statement.ts'
import type { ChainTurns } from './chain-turns.ts'
import { ANY_NUMBER, type NewOrder, orderColumns, type Rejection, rejectionOf } from './new-order.ts'
import { openOfChain } from './open.ts'

/** Each operation has keys of its own. */
export const OPERATION = 'placeOrder'

/** A rejected order stores no key. */
type Result<Reason = Rejection> = IdempotentResult | { outcome: 'rejected'; rejection: Reason }

/** Places orders with an Idempotency-Key. */
export function openIdempotentOrders(
  db: Writable & Transactional,
  turns: ChainTurns,
  onPlaced: () => void,
  onBatch?: OnBatch,
) {
  const inserts = openIdempotentInserts(
    'keyedOrders.insert',
    (items: Idempotent<NewOrder>[], deadline) =>
      turns.take(
        items.map(({ chainId }) => chainId),
        () => placeAll(db, items, deadline),
      ),
    onBatch,
  )
  return {
    metrics: inserts.metrics,
    insert: (item: Idempotent<NewOrder>, caller?: Caller) =>
      retryWhileLocked(async (): Promise<Result | undefined> => {
        const result = await inserts.insert(item, caller)
        if (result.outcome === 'created') onPlaced()
        if (result.outcome !== 'rejected') return result
        const { outcome, rejection } = result
        return rejection === 'busy' ? undefined : { outcome, rejection }
      }, caller),
  }
}

async function placeAll(db: Writable & Transactional, items: Idempotent<NewOrder>[], deadline: number) {
  const [stored] = await db.write<StoredBatch & { rejections: string }>(storeStatement(items), deadline)
  const rejections = stored?.rejections.split(',') ?? []
  const results = await readResults(db, OPERATION, items, stored, deadline)
  return results.map((result, i): Result<Rejection | 'busy'> => {
    if (result) return result
    const rejection = rejectionOf(rejections[i])
    return rejection ? { outcome: 'rejected', rejection } : { outcome: 'in progress' }
  })
}

/**
 * Stores the keys that are free, as `storeStatement` of idempotent-pets.ts does, and places their orders, as `placeStatement` does.
 * `candidates` are the orders that may be placed if their keys are stored, `winners` those whose keys were.
 */
export function storeStatement(items: Idempotent<NewOrder>[]): Statement {
  return {
    name: 'keyedOrders.store',
    text: `
      with input as materialized (
        select ((${NEXT_ORDER_ID}) & -256) + (position & 255) as id, pet, expires_in, reference, most_open,
               api_key_id, chain_id, key, attempt, fingerprint, fingerprint_version, position,
               pg_try_advisory_xact_lock(hashtextextended(key, hashtextextended(chain_id, 0))) as is_free
        from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bytea[], $6::smallint[],
                    $7::bigint[], $8::bigint[], $9::text[], $10::bigint[])
          with ordinality as new (api_key_id, chain_id, key, attempt, fingerprint, fingerprint_version,
                                  pet, expires_in, reference, most_open, position)),
      limits as (select chain_id, max(most_open) as most from input where most_open is not null group by chain_id),
      chains as materialized (
        select chain_id, most - (
          select count(*) from (
            select from orders where ${openOfChain('limits.chain_id')}
            order by orders.chain_id, orders.id limit most) as open) as room
        from limits),
      wanted as materialized (
        select id, pet, chain_id, is_free, position, case when most_open is null then ${ANY_NUMBER} else room end as room
        from input left join chains using (chain_id)),
      locked as materialized (
        select id as pet, version from pets
        where id = any (array(select pet from wanted where room > 0)) and status = 'available'
        order by id for no key update skip locked),
      candidates as (
        select id
        from (
          select id, room, row_number() over (partition by chain_id order by position) as place
          from (
            select distinct on (pet) * from wanted join locked using (pet)
            where is_free and room > 0 order by pet, position) as first_of_pet) as ranked
        where place <= room),
      stored_keys as (
        insert into idempotency_keys
          (api_key_id, chain_id, operation, key, attempt, fingerprint, fingerprint_version, pet_id)
        select api_key_id, chain_id, '${OPERATION}', key, attempt, fingerprint, fingerprint_version, id
        from input where id in (select id from candidates) order by api_key_id, key, position
        on conflict do nothing returning pet_id),
      winners as (
        select id, pet, expires_in, reference, api_key_id, chain_id from input join stored_keys on pet_id = id),
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
               case when winners.id = wanted.id then '${STORED}' when is_free then '${NOT_STORED}' else '${LEFT_OUT}' end as key,
               case when winners.pet is not null then 'held'
                    when locked.pet is not null or seen.status = 'available' then case when room <= 0 then 'full' else 'busy' end
                    when seen.id is null then 'missing'
                    when seen.held_by is not null then 'held'
                    else coalesce(seen.status, 'none') end as rejection
        from wanted left join locked using (pet)
        left join lateral (
          select id, status, held_by from pets where pets.id = wanted.pet and locked.pet is null limit 1) as seen on true
        left join winners using (pet))
      select string_agg(id::text, ',' order by position) as ids, string_agg(key, '' order by position) as keys,
             string_agg(rejection, ',' order by position) as rejections
      from outcomes`,
    values: [...keyColumns(items), ...orderColumns(items.map(({ input }) => input))],
  }
}
