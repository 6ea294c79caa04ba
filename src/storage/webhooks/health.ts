import type { Queryable } from '../postgres/statement.ts'

/** SQL for an active webhook that no process has delivered for in the last 30 seconds. */
export const IS_UNDELIVERED = `state = 'active' and coalesce(leased_until, created_at) < now() - interval '30 seconds'`

/** Counts the webhooks, and those with problems. `paused` are those that the service has paused because of their keys. */
export async function countWebhooks(db: Queryable) {
  const [row] = await db.query<{ all: number; undelivered: number; disabled: number; paused: number; failing: number }>(
    {
      text: `
      select count(*)::int as all, count(*) filter (where ${IS_UNDELIVERED})::int as undelivered,
             count(*) filter (where state = 'disabled')::int as disabled,
             count(*) filter (where state = 'paused' and reason is not null)::int as paused,
             count(*) filter (where state = 'active' and failing_since < now() - interval '30 minutes')::int as failing
      from webhooks`,
    },
  )
  return row ?? { all: 0, undelivered: 0, disabled: 0, paused: 0, failing: 0 }
}
