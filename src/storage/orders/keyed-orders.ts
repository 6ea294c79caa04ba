import type { Caller, OnBatch } from '../../lib/batch.ts'
import { openKeyedInserts } from '../idempotency/keyed-inserts.ts'
import type { Keyed, KeyedOperation } from '../idempotency/statements.ts'
import { untilFree } from '../postgres/busy-rows.ts'
import type { Transactional, Writable } from '../postgres/statement.ts'
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

export const KEYED_ORDERS: KeyedOperation<NewOrder, Refusal | 'busy'> = {
  operation: 'placeOrder',
  name: 'keyedOrders',
  nextId: NEXT_ID,
  columns: COLUMNS,
  valuesOf,
  insert: INSERT_ORDERS,
  record: RECORD_ORDERS,
  guard: { before: LOCK_PETS, after: HOLD_PETS, refusals: REPORTED },
}

/** Places orders with an Idempotency-Key. */
export function openKeyedOrders(db: Writable & Transactional, onPlaced: () => void, onBatch?: OnBatch) {
  const inserts = openKeyedInserts(db, KEYED_ORDERS, onBatch)
  return {
    metrics: inserts.metrics,
    insert: (keyed: Keyed<NewOrder>, caller?: Caller) =>
      untilFree(async () => {
        const result = await inserts.insert(keyed, caller)
        if (result.outcome === 'created') onPlaced()
        if (result.outcome !== 'refused') return result
        const { outcome, refusal } = result
        return refusal === 'busy' ? undefined : { outcome, refusal }
      }, caller),
  }
}
