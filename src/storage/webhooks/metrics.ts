import { byLabel, gauge } from '../../lib/metric.ts'
import type { ReadinessTimes } from '../../lib/times.ts'
import type { Queryable } from '../postgres/statement.ts'
import { IS_UNDELIVERED } from './health.ts'

/** Reported by serving processes: where no process delivers, none of those could report it. Absent while the database is unavailable. */
export function webhookMetrics(db: Queryable, { undeliveredMs }: ReadinessTimes) {
  // A scrape reads all metrics at once: one statement for both.
  let reading: Promise<Counts[]> | undefined
  const read = async () => {
    reading ??= db
      .query<Counts>(STATEMENT, performance.now() + undeliveredMs)
      .catch(() => [])
      .finally(() => {
        reading = undefined
      })
    return (await reading)[0]
  }
  return [
    gauge(
      'petstore_webhooks_undelivered',
      'Active webhooks that no process has delivered for in the last 30 seconds.',
      async () => {
        const counts = await read()
        return counts ? [{ labels: {}, value: counts.undelivered }] : []
      },
    ),
    gauge('petstore_webhooks', 'Webhooks of the store, by state.', async () => {
      const counts = await read()
      return counts ? byLabel('state', statesOf(counts)) : []
    }),
  ]
}

const statesOf = ({ active, paused, disabled }: Counts) => ({ active, paused, disabled })

type Counts = Record<'undelivered' | 'active' | 'paused' | 'disabled', number>

const STATEMENT = {
  name: 'webhooks.count',
  text: `
    select count(*) filter (where state = 'active')::int as active,
           count(*) filter (where state = 'paused')::int as paused,
           count(*) filter (where state = 'disabled')::int as disabled,
           count(*) filter (where ${IS_UNDELIVERED})::int as undelivered
    from webhooks`,
}
