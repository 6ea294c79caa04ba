import { asLeader } from '../postgres/leader.ts'
import { LOCKS } from '../postgres/locks.ts'
import { type Transaction, type Transactional, WITHOUT_SEQ_SCAN } from '../postgres/statement.ts'

const PART = 1_000

/** Removes a part of the keys that are older than a day, the oldest first. Returns whether this process should continue. */
export async function prune(db: Transactional): Promise<boolean> {
  const hasMore = await asLeader(db, LOCKS.idempotencyPruner, async (transaction) => {
    await transaction.query(WITHOUT_SEQ_SCAN)
    const last = await lastOfPart(transaction)
    await transaction.query({
      name: 'keyPruner.prune',
      // As text: a JavaScript date would be cut to milliseconds.
      text: `
        delete from idempotency_keys
        where created_at < now() - interval '24 hours' and created_at <= coalesce($1::timestamptz, 'infinity')`,
      values: [last],
    })
    return last !== undefined
  })
  return hasMore ?? false
}

/** When the last key of the part was created; undefined if less than a part is left. */
async function lastOfPart(transaction: Transaction) {
  const [row] = await transaction.query<{ at: string }>({
    name: 'keyPruner.last',
    text: `
      select created_at::text as at from idempotency_keys
      where created_at < now() - interval '24 hours' order by created_at offset $1 - 1 limit 1`,
    values: [PART],
  })
  return row?.at
}
