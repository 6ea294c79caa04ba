import { NEXT_ORDER_ID, PLACED_AT_MS } from '../../lib/order-id.ts'
import { insertEvents } from '../events/recorded.ts'
import { arrayOf } from '../postgres/batches.ts'

export interface NewOrder {
  petId: bigint
  /** In seconds. */
  expiresIn: number
  reference?: string | undefined
  /** How many orders of its chain may be open with it; undefined for any number. */
  mostOpen?: number | undefined
}

/** Why an order was not placed: no such pet; its status (`none` if it has none); `held` by another order; too many are open (`full`). */
const REFUSALS = ['missing', 'none', 'pending', 'held', 'sold', 'full'] as const
export type Refusal = (typeof REFUSALS)[number]

/** What the statement reports. `busy`: another transaction is changing the pet or the chain, so nothing is known yet. */
export const REPORTED = [...REFUSALS, 'busy'] as const

/** The columns of a new order and their types. */
export const COLUMNS = { pet: 'bigint', expires_in: 'bigint', reference: 'text', most_open: 'bigint' } as const

export function valuesOf(orders: NewOrder[]) {
  return [
    arrayOf(orders.map(({ petId }) => petId)),
    arrayOf(orders.map(({ expiresIn }) => expiresIn)),
    orders.map(({ reference = null }) => reference),
    arrayOf(orders.map(({ mostOpen = null }) => mostOpen)),
  ]
}

/**
 * SQL that draws the id of a new order. Its last bits are the position in the batch, which has fewer than 256: within a batch ids
 * differ, so that a row that is joined by its id is never another's.
 */
export const NEXT_ID = `((${NEXT_ORDER_ID}) & -256) + (position & 255)`

// More than a batch has.
const ANY_NUMBER = 256

/**
 * Finds how many more orders each chain of the `input` may place, as `room`, and keeps other transactions from placing any. Of the row of a
 * chain the newest version is locked, which may be newer than the snapshot of the statement: then others have placed orders that a count
 * would not see, and the room is not known yet. It is neither known while another transaction has the row, nor of a chain that has none
 * yet: what is reported as busy is tried again. An order that ends meanwhile only makes room.
 * A count reads at most as many orders as may be open, and is made only where the limit seems to be reached.
 */
const LOCK_CHAINS = `
      wanted as materialized (
        select chain_id, max(most_open) as most, count(*) as orders from input where most_open is not null group by chain_id),
      added as (
        insert into order_chains (chain_id)
        select chain_id from wanted where not exists (select from order_chains where order_chains.chain_id = wanted.chain_id)
        on conflict do nothing),
      chains as materialized (
        select chain_id, placed, ended from order_chains
        where chain_id = any (array(select chain_id from wanted)) order by chain_id for no key update skip locked),
      known as materialized (
        select chain_id, most, placed,
               case when placed - ended + wanted.orders <= most then ended
                    when placed = (select placed from order_chains as seen where seen.chain_id = chains.chain_id)
                    then placed - (
                      select count(*) from (
                        select from orders where chain_id = chains.chain_id and closed_at is null limit most) as open)
               end as ended
        from chains join wanted using (chain_id)),
      entitled as materialized (
        select id, pet, chain_id, is_free, position,
               case when most_open is null then ${ANY_NUMBER} else most - (placed - ended) end as room
        from input left join known using (chain_id))`

/**
 * Locks the pets of the `input` that are available, without waiting for those that others are changing, and reads them as they are
 * now. Those that can't be ordered are not locked: buyers who ask for them must not be in the way of the one who holds them. One
 * order for each pet may be placed: the first.
 */
export const LOCK_PETS = `${LOCK_CHAINS},
      locked as materialized (
        select id as pet, version from pets
        where id = any (array(select pet from entitled where room > 0)) and status = 'available'
        order by id for no key update skip locked),
      allowed as (
        select id
        from (
          select id, room, row_number() over (partition by chain_id order by position) as place
          from (
            select distinct on (pet) * from entitled join locked using (pet)
            where is_free and room > 0 order by pet, position) as first) as ranked
        where place <= room)`

/** Reads the orders from `claimed`. The time of expiry counts from the time in the id. */
export const INSERT_ORDERS = `
        insert into orders (pet_id, id, version, expires_at, reference, placed_by, chain_id)
        select pet, id, version + 1,
               timestamptz 'epoch' + (${PLACED_AT_MS} + expires_in * 1000) * interval '1 millisecond', reference,
               api_key_id, chain_id
        from claimed join locked using (pet)
        returning pet_id, id, version`

/** A pet is changed by what was inserted and by nothing else: there is no order without its pet, and no hold without its order. */
export const HOLD_PETS = `
      counted as (
        update order_chains set placed = known.placed + new.orders, ended = known.ended
        from known join (select chain_id, count(*) as orders from claimed group by chain_id) as new using (chain_id)
        where order_chains.chain_id = known.chain_id),
      held as (
        update pets set status = 'pending', held_by = inserted.id, version = inserted.version
        from inserted where pets.id = inserted.pet_id
        returning pets.id, pets.version, name, category_id, pets.status, inserted.id as order_id),
      refusals as (
        select entitled.id as refused_id,
               case when winner.pet is not null then 'held'
                    when locked.pet is not null or seen.status = 'available' then case when room <= 0 then 'full' else 'busy' end
                    when seen.id is null then 'missing'
                    when seen.held_by is not null then 'held'
                    else coalesce(seen.status, 'none') end as refusal
        from entitled left join locked using (pet)
        left join lateral (
          select id, status, held_by from pets where pets.id = entitled.pet and locked.pet is null limit 1) as seen on true
        left join claimed as winner using (pet))`

/** Of the pets that are now held. */
export const RECORD_ORDERS = insertEvents(
  '(select held.*, api_key_id from held join claimed on claimed.id = order_id) as placed',
  { type: `'order.placed'`, orderId: 'order_id', changed: `'status'`, keyId: 'api_key_id' },
)
