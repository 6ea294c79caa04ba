import { asLeader } from '../postgres/leader.ts'
import { LOCKS } from '../postgres/locks.ts'
import { type Transactional, WITHOUT_SEQ_SCAN } from '../postgres/statement.ts'

const PART = 1_000

/**
 * Removes a part of the sessions that have expired, the oldest first. Idle ones stay until they expire: a browser that still has their
 * cookie must not look like one that guesses. Returns whether this process should continue.
 */
export async function pruneSessions(db: Transactional): Promise<boolean> {
  const removed = await asLeader(db, LOCKS.sessionPruner, async (transaction) => {
    await transaction.query(WITHOUT_SEQ_SCAN)
    const [row] = await transaction.query<{ removed: number }>({
      name: 'sessions.prune',
      text: `
        with gone as (
          delete from console_sessions where token_sha256 = any (array(
            select token_sha256 from console_sessions where ends_at <= now() order by ends_at limit $1))
          returning 1)
        select count(*)::int as removed from gone`,
      values: [PART],
    })
    return row?.removed ?? 0
  })
  return removed === PART
}
