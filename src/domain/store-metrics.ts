import type { ReadinessTimes } from '../lib/times.ts'
import { expiringMetric } from '../storage/keys/expiring.ts'
import type { Queryable } from '../storage/postgres/statement.ts'
import { undeliveredMetric } from '../storage/webhooks/undelivered.ts'
import { EXPIRY_NOTICE_MS } from './keys.ts'

/** What a process that serves reads from the database for Prometheus. */
export function storeMetrics(db: Queryable, times: ReadinessTimes) {
  return [undeliveredMetric(db, times), expiringMetric(db, EXPIRY_NOTICE_MS, times)]
}
