import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderKey } from '../lib/ids/order-id.ts'
import { cancelPart, type OpenOrders, readOpen } from '../storage/orders/cancel.ts'
import { openFinding } from '../storage/orders/find.ts'
import type { Queryable, Transactional } from '../storage/postgres/statement.ts'

type Db = { db: Queryable & Transactional }

// For orders that requests are changing just now.
const PAUSE_MS = 100
const MAX_PAUSES = 50

/** An order, if there is one with this id. */
export function findOrder({ db }: Db, key: OrderKey) {
  return openFinding(db)(key)
}

/** The open orders of a key and of those it was rotated from and to. */
export function openOrdersOf({ db }: Db, chainId: string): Promise<OpenOrders> {
  return readOpen(db, chainId)
}

interface Progress {
  onPart: (cancelled: number) => void
  signal: AbortSignal
}

/**
 * Cancels these orders in parts, each with its pets in one transaction, until the signal aborts. Returns how many are left: more than none
 * if it was aborted, or if requests were changing them all the time.
 */
export async function cancelOrders({ db }: Db, chainId: string, { upTo }: OpenOrders, { onPart, signal }: Progress) {
  let skip = 0
  for (let pauses = 0; !signal.aborted; ) {
    const { cancelled, skipped, isLast } = await cancelPart(db, chainId, upTo, skip)
    onPart(cancelled)
    skip += skipped
    if (!isLast) continue
    if (skip === 0 || pauses++ === MAX_PAUSES) return skip
    skip = 0
    await sleep(PAUSE_MS)
  }
  return (await readOpen(db, chainId)).count
}
