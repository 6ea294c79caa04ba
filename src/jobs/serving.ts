import type { DeprecatedCalls } from '../storage/deprecations/calls.ts'
import type { Feed } from '../storage/events/feed.ts'
import type { Orders } from '../storage/orders/orders.ts'
import type { Transactional } from '../storage/postgres/statement.ts'
import { expireOrders } from './expire-orders.ts'
import { pruneConsoleSessions } from './prune-console-sessions.ts'
import { pruneEvents } from './prune-events.ts'
import { pruneIdempotencyKeys } from './prune-idempotency-keys.ts'
import type { Job } from './runner.ts'
import { sequenceEvents } from './sequence-events.ts'
import { storeDeprecatedCalls } from './store-deprecated-calls.ts'

interface Worked {
  background: Transactional
  deprecatedCalls: DeprecatedCalls
  orders: Orders
  feed: Feed
  eventsRetentionMs: number
}

/** What a process that serves does besides. */
export function servingJobs({ background, deprecatedCalls, orders, feed, eventsRetentionMs }: Worked): Job[] {
  return [
    pruneIdempotencyKeys(background),
    storeDeprecatedCalls(deprecatedCalls),
    expireOrders(orders),
    sequenceEvents(feed),
    pruneEvents(background, eventsRetentionMs),
    pruneConsoleSessions(background),
  ]
}
