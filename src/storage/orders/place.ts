import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { type Actor, keyIdsOf } from '../events/recorded.ts'
import { arrayOf, WRITE_ONCE_BATCHES } from '../postgres/batches.ts'
import { int64sOf, valueAt } from '../postgres/columns.ts'
import { OutcomeUnknown } from '../postgres/failures.ts'
import type { Statement, Writable } from '../postgres/statement.ts'
import {
  COLUMNS,
  HOLD_PETS,
  INSERT_ORDERS,
  LOCK_PETS,
  NEXT_ID,
  type NewOrder,
  RECORD_ORDERS,
  REPORTED,
  type Refusal,
  valuesOf,
} from './placing.ts'

/** `chainId`: the first key of the rotations that led to `keyId`. */
export type OrderToPlace = NewOrder & Actor & { chainId?: string | undefined }

type Placed = { id: bigint } | { refusal: Refusal | 'busy' }

const MAX_ORDERS = 200
const PLACED = 'placed'

/** Places orders without an Idempotency-Key: when the outcome is unknown, they are not placed again. */
export function openPlacing(db: Writable, onUnknown: () => void, onBatch?: OnBatch) {
  const batches = new Batcher({
    ...WRITE_ONCE_BATCHES,
    name: 'orders.place',
    onBatch,
    maxItems: MAX_ORDERS,
    send: (orders: OrderToPlace[], deadline) =>
      placeAll(db, orders, deadline).catch((error: unknown) => {
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
    const refusal = REPORTED.find((known) => known === outcomes[i])
    if (!refusal) throw new Error(`the outcome of an order is ${outcomes[i]}`)
    return { refusal }
  })
}

export function placeStatement(orders: OrderToPlace[]): Statement {
  const names = Object.keys(COLUMNS).join(', ')
  const arrays = Object.values(COLUMNS).map((type, i) => `$${i + 1}::${type}[]`)
  return {
    name: 'orders.place',
    text: `
      with input as materialized (
        select ${NEXT_ID} as id, true as is_free, ${names}, api_key_id, chain_id, position
        from unnest(${arrays.join(', ')}, $${arrays.length + 1}::text[], $${arrays.length + 2}::text[])
          with ordinality as new (${names}, api_key_id, chain_id, position)),${LOCK_PETS},
      claimed as (select * from input where id in (select id from allowed)),
      inserted as (${INSERT_ORDERS}),${HOLD_PETS},
      recorded as (${RECORD_ORDERS})
      select string_agg(input.id::text, ',' order by input.position) as ids,
             string_agg(case when claimed.id is null then refusal else '${PLACED}' end, ',' order by input.position) as outcomes
      from input join refusals on refused_id = input.id left join claimed on claimed.id = input.id`,
    values: [...valuesOf(orders), keyIdsOf(orders), arrayOf(orders.map(({ chainId = null }) => chainId))],
  }
}
