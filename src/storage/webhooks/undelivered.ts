import { gauge } from '../../lib/metric.ts'
import type { ReadinessTimes } from '../../lib/times.ts'
import type { Queryable } from '../postgres/statement.ts'
import { IS_UNDELIVERED } from './health.ts'

/** By a process that serves: one that delivers could not say that there is none. Absent while the database is not available. */
export function undeliveredMetric(db: Queryable, { undeliveredMs }: ReadinessTimes) {
  const help = 'Active webhooks that no process has delivered for in the last 30 seconds.'
  return gauge('petstore_webhooks_undelivered', help, async () => {
    const rows = await db.query<{ count: number }>(STATEMENT, performance.now() + undeliveredMs).catch(() => [])
    return rows.map(({ count }) => ({ labels: {}, value: count }))
  })
}

const STATEMENT = {
  name: 'webhooks.undelivered',
  text: `select count(*)::int as count from webhooks where ${IS_UNDELIVERED}`,
}
