import { gauge } from '../../lib/metric.ts'
import type { ReadinessTimes } from '../../lib/times.ts'
import type { Queryable } from '../postgres/statement.ts'

/**
 * Keys that expire soon and were not rotated: their clients will be rejected. Keys that were made for less than the notice period do not
 * count. Absent while the database is unavailable.
 */
export function expiringMetric(db: Queryable, noticeMs: number, { undeliveredMs }: ReadinessTimes) {
  const help = `Keys that expire within ${noticeMs / 86_400_000} days, were made for longer, and were not rotated.`
  return gauge('petstore_keys_expiring', help, async () => {
    const rows = await countExpiring(db, noticeMs, performance.now() + undeliveredMs).catch(() => [])
    return rows.map(({ count }) => ({ labels: {}, value: count }))
  })
}

function countExpiring(db: Queryable, noticeMs: number, deadline: number) {
  return db.query<{ count: number }>(
    {
      name: 'keys.expiring',
      text: `
        select count(*)::int as count from api_keys
        where revoked_at is null and replaced_by is null
          and expires_at > now() and expires_at < now() + make_interval(secs => $1)
          and expires_at - created_at > make_interval(secs => $1)`,
      values: [noticeMs / 1_000],
    },
    deadline,
  )
}
