import type { Order, OrderCount, OrderPage, OrderPageByTime } from '../../domain/types/order.ts'
import type { Caller, OnBatch } from '../../lib/batch.ts'
import type { OrderKey } from '../../lib/ids/order-id.ts'
import { byLabel, counter, gauge, type Measured, outcomesUnknown } from '../../lib/metric.ts'
import { retryWhileLocked } from '../postgres/busy-rows.ts'
import type { Database } from '../postgres/database.ts'
import {
  type OrderCountRequest,
  type OrderPageByTimeRequest,
  type OrderPeriods,
  openCounting,
  openCountingPeriods,
  openListingByTime,
} from './by-time.ts'
import { ChainTurns } from './chain-turns.ts'
import { type Closed, type Closing, openClosing } from './close.ts'
import { type ExpiredPart, expirePart } from './expire.ts'
import { openFinding } from './find.ts'
import { openIdempotentOrders } from './idempotent-orders.ts'
import type { Rejection } from './new-order.ts'
import { type OrderPageRequest, openListing } from './pages.ts'
import { type OrderToPlace, openPlacing } from './place.ts'

/** The orders of a database. Every change of an order changes its pet in the same statement. */
export interface Orders extends Measured {
  /** Places an order if its pet is available and no limit forbids it; when this returns, it is committed and flushed. */
  place: (order: OrderToPlace, caller?: Caller) => Promise<{ id: bigint } | { rejection: Rejection }>
  /** The same with an Idempotency-Key. */
  idempotent: Pick<ReturnType<typeof openIdempotentOrders>, 'insert'>
  find: (key: OrderKey, caller?: Caller) => Promise<Order | undefined>
  list: (request: OrderPageRequest, caller?: Caller) => Promise<OrderPage>
  listByTime: (request: OrderPageByTimeRequest, caller?: Caller) => Promise<OrderPageByTime>
  /** How many orders there are, up to a thousand. */
  count: (request: OrderCountRequest, caller?: Caller) => Promise<OrderCount>
  /** How many orders ended in each period, up to a thousand each. */
  countPeriods: (periods: OrderPeriods, caller?: Caller) => Promise<OrderCount[]>
  /** Completes or cancels an order that is placed; says how one ended that is not. */
  close: (closing: Closing, caller?: Caller) => Promise<Closed>
  /** Expires a part of the orders whose time is up, in the background, after `skip` of them. Undefined if another process does. */
  expire: (skip: number) => Promise<ExpiredPart | undefined>
}

export function openOrders(db: Database, onBatch?: OnBatch): Orders {
  const transitions = { placed: 0, completed: 0, cancelled: 0, expired: 0 }
  let unknown = 0
  let lagSeconds = 0
  const turns = new ChainTurns()
  const place = openPlacing(db, turns, () => unknown++, onBatch)
  const idempotent = openIdempotentOrders(db, turns, () => transitions.placed++, onBatch)
  return {
    idempotent,
    find: openFinding(db, onBatch),
    list: openListing(db, onBatch),
    listByTime: openListingByTime(db, onBatch),
    count: openCounting(db, onBatch),
    countPeriods: openCountingPeriods(db, onBatch),
    close: openClosing(db, (status) => transitions[status]++, onBatch),
    place: (order, caller) =>
      retryWhileLocked(async () => {
        const result = await place(order, caller)
        if ('id' in result) {
          transitions.placed++
          return result
        }
        const { rejection } = result
        return rejection === 'busy' ? undefined : { rejection }
      }, caller),
    async expire(skip) {
      const part = await expirePart(db.background, skip)
      transitions.expired += part?.expired ?? 0
      if (skip === 0) lagSeconds = part?.lagSeconds ?? 0
      return part
    },
    metrics: [
      ...idempotent.metrics,
      counter('petstore_orders_total', 'Orders by transition.', () => byLabel('transition', transitions)),
      outcomesUnknown(() => unknown),
      gauge(
        'petstore_order_expiry_lag_seconds',
        'For how long the oldest order that this process found to be due had been due.',
        () => lagSeconds,
      ),
    ],
  }
}
