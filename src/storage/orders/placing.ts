import { NEXT_ORDER_ID, PLACED_AT_MS } from '../../lib/order-id.ts'
import { insertEvents } from '../events/recorded.ts'
import { arrayOf } from '../postgres/batches.ts'

export interface NewOrder {
  petId: bigint
  /** In seconds. */
  expiresIn: number
  reference?: string | undefined
}

/** Why an order was not placed: no such pet; its status (`none` if it has none); `held` by another order. */
const REFUSALS = ['missing', 'none', 'pending', 'held', 'sold'] as const
export type Refusal = (typeof REFUSALS)[number]

/** What the statement reports. `busy`: another transaction is changing the pet, so nothing is known yet. */
export const REPORTED = [...REFUSALS, 'busy'] as const

/** The columns of a new order and their types. */
export const COLUMNS = { pet: 'bigint', expires_in: 'bigint', reference: 'text' } as const

export function valuesOf(orders: NewOrder[]) {
  return [
    arrayOf(orders.map(({ petId }) => petId)),
    arrayOf(orders.map(({ expiresIn }) => expiresIn)),
    orders.map(({ reference = null }) => reference),
  ]
}

/**
 * SQL that draws the id of a new order. Its last bits are the position in the batch, which has fewer than 256: within a batch ids
 * differ, so that a row that is joined by its id is never another's.
 */
export const NEXT_ID = `((${NEXT_ORDER_ID}) & -256) + (position & 255)`

/**
 * Locks the pets of the `input` that are available, without waiting for those that others are changing, and reads them as they are
 * now. Those that can't be ordered are not locked: buyers who ask for them must not be in the way of the one who holds them. One
 * order for each pet may be placed: the first.
 */
export const LOCK_PETS = `
      locked as materialized (
        select id as pet, version from pets
        where id = any (array(select pet from input)) and status = 'available'
        order by id for no key update skip locked),
      allowed as (
        select distinct on (pet) id from input join locked using (pet) where is_free order by pet, position)`

/** Reads the orders from `claimed`. The time of expiry counts from the time in the id. */
export const INSERT_ORDERS = `
        insert into orders (pet_id, id, version, expires_at, reference)
        select pet, id, version + 1,
               timestamptz 'epoch' + (${PLACED_AT_MS} + expires_in * 1000) * interval '1 millisecond', reference
        from claimed join locked using (pet)
        returning pet_id, id, version`

/** A pet is changed by what was inserted and by nothing else: there is no order without its pet, and no hold without its order. */
export const HOLD_PETS = `
      held as (
        update pets set status = 'pending', held_by = inserted.id, version = inserted.version
        from inserted where pets.id = inserted.pet_id
        returning pets.id, pets.version, name, category_id, pets.status, inserted.id as order_id),
      refusals as (
        select input.id as refused_id,
               case when winner.pet is not null then 'held'
                    when locked.pet is not null or seen.status = 'available' then 'busy'
                    when seen.id is null then 'missing'
                    when seen.held_by is not null then 'held'
                    else coalesce(seen.status, 'none') end as refusal
        from input left join locked using (pet)
        left join lateral (
          select id, status, held_by from pets where pets.id = input.pet and locked.pet is null limit 1) as seen on true
        left join claimed as winner using (pet))`

/** Of the pets that are now held. */
export const RECORD_ORDERS = insertEvents(
  '(select held.*, api_key_id from held join claimed on claimed.id = order_id) as placed',
  { type: `'order.placed'`, orderId: 'order_id', changed: `'status'`, keyId: 'api_key_id' },
)
