import { byLabel, counter, gauge, type Metric } from '../../lib/metric.ts'

interface Source {
  readonly downReason: Error | undefined
  readonly isStalled: boolean
  readonly counts: { retries: Record<string, number>; waiting: number; waitsTotal: number }
  readonly pool: { inUse: number; idle: number; waiting: number }
}

export function databaseMetrics(db: Source): readonly Metric[] {
  return [
    gauge('petstore_database_lost', 'Processes that have lost the primary.', () => Number(db.downReason !== undefined)),
    gauge('petstore_commits_stalled', 'Processes whose commits are not acknowledged.', () => Number(db.isStalled)),
    gauge('petstore_statements_held', 'Statements that wait for the lost primary.', () => db.counts.waiting),
    counter(
      'petstore_statement_holds_total',
      'Statements that had to wait for the primary or for commits to resume.',
      () => db.counts.waitsTotal,
    ),
    counter('petstore_statement_retries_total', 'Statements sent again, by class of the failure.', () =>
      byLabel('class', db.counts.retries),
    ),
    gauge('petstore_pool_connections', 'Connections to the database, by state.', () =>
      byLabel('state', { in_use: db.pool.inUse, idle: db.pool.idle }),
    ),
    gauge('petstore_pool_waiting', 'Statements that wait for a connection.', () => db.pool.waiting),
  ]
}
