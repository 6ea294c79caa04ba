import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { TIMES } from '../../lib/times.ts'
import { BATCHES } from '../postgres/batches.ts'
import type { Queryable, Statement } from '../postgres/statement.ts'
import { IS_UNDELIVERED } from '../webhooks/health.ts'

export interface StatusRow {
  /** Whether the server takes no writes. */
  isReadOnly: boolean
  active: number
  paused: number
  disabled: number
  undelivered: number
  /** The place in the feed of the active webhook that is the furthest behind; null if none is active. */
  lastPlace: bigint | null
  expiringKeys: number
}

/** How many days before their expiry keys are counted. */
const EXPIRING_DAYS = 30
/** How far they are counted. */
export const MAX_EXPIRING = 1_000

/** Reads the status; all requests that wait share one. */
export function openStatus(db: Queryable, onBatch?: OnBatch) {
  const batcher = new Batcher({
    ...BATCHES,
    name: 'status.read',
    onBatch,
    maxItems: 1,
    keyOf: () => '',
    timeoutMs: TIMES.readiness.undeliveredMs,
    send: async (requests: undefined[], deadline) => {
      const [row] = await db.query<StatusRow & Record<string, unknown>>(STATUS_STATEMENT, deadline)
      return requests.map(() => row)
    },
  })
  return { read: (caller?: Caller) => batcher.submit(undefined, caller) }
}

/** There are at most twenty webhooks; keys are counted by an index. */
export const STATUS_STATEMENT: Statement = {
  name: 'status.read',
  text: `
    select count(*) filter (where state = 'active')::int as active,
           count(*) filter (where state = 'paused')::int as paused,
           count(*) filter (where state = 'disabled')::int as disabled,
           count(*) filter (where ${IS_UNDELIVERED})::int as undelivered,
           min(sequence) filter (where state = 'active') as "lastPlace",
           (select count(*)::int from (
              select from api_keys
              where revoked_at is null and replaced_by is null
                and expires_at > now() and expires_at < now() + interval '${EXPIRING_DAYS} days'
              limit ${MAX_EXPIRING}) as expiring) as "expiringKeys",
           pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly"
    from webhooks`,
}
