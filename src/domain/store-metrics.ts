import type { ReadinessTimes } from '../lib/times.ts'
import { expiringMetric } from '../storage/keys/expiring.ts'
import type { Queryable } from '../storage/postgres/statement.ts'
import { wordsMetric } from '../storage/search/words.ts'
import { webhookMetrics } from '../storage/webhooks/metrics.ts'
import { EXPIRY_NOTICE_MS } from './keys.ts'

/** What a process that serves reads from the database for Prometheus. */
export function storeMetrics(db: Queryable, times: ReadinessTimes) {
  return [...webhookMetrics(db, times), expiringMetric(db, EXPIRY_NOTICE_MS, times), wordsMetric(db, times)]
}
