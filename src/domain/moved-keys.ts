import type { ReadinessTimes } from '../lib/times.ts'
import type { Queryable } from '../storage/postgres/statement.ts'
import { readStore } from '../storage/stores/row.ts'

const TEST_KEYS_REJECTED =
  'Test keys were moved to a sandbox, and are rejected here. Set SANDBOX_DATABASE_URL to its database, as for every other process.'

/** For a process without a sandbox that starts, which must not fail or wait because of it. */
export async function movedKeysWarnings(db: Queryable, { checkMs }: ReadinessTimes) {
  const deadline = performance.now() + checkMs
  const inTime: Queryable = { query: (statement) => db.query(statement, deadline) }
  const row = await readStore(inTime).catch(() => undefined)
  return row?.testKeysElsewhere ? [TEST_KEYS_REJECTED] : []
}
