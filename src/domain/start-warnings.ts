import type { KeyMode } from '../lib/ids/key-format.ts'
import type { ReadinessTimes } from '../lib/times.ts'
import { pendingMigrations } from '../storage/postgres/migrate.ts'
import type { Queryable } from '../storage/postgres/statement.ts'
import { readStore } from '../storage/stores/row.ts'
import { type ConnectionSettings, compareConnections } from './connections.ts'

interface Settings extends ConnectionSettings {
  hasSandbox: boolean
  keyMode: KeyMode | 'any'
}

const TEST_KEYS_LEFT =
  'SANDBOX_DATABASE_URL is set, but the live database still has the test keys, and a process without the variable accepts them there. Run `petstore sandbox create`.'
const TEST_KEYS_REJECTED =
  'Test keys were moved to a sandbox, and are rejected here. Set SANDBOX_DATABASE_URL to its database, as for every other process.'

/** What seems wrong in the database of the live store. A process that starts must not fail or wait because of it. */
export async function startWarnings(db: Queryable, settings: Settings, { checkMs }: ReadinessTimes) {
  const deadline = performance.now() + checkMs
  const inTime: Queryable = { query: (statement) => db.query(statement, deadline) }
  const { hasSandbox, keyMode } = settings
  const [compared, row] = await Promise.all([
    compareConnections(inTime, settings).catch(() => undefined),
    keyMode === 'live' ? undefined : readIfMigrated(inTime).catch(() => undefined),
  ])
  const warnings: string[] = []
  if (compared?.shortage !== undefined) warnings.push(compared.shortage)
  if (row && row.testKeysElsewhere !== hasSandbox) warnings.push(hasSandbox ? TEST_KEYS_LEFT : TEST_KEYS_REJECTED)
  return warnings
}

/** A database that lacks migrations is reported by what needs them. */
async function readIfMigrated(db: Queryable) {
  const pending = await pendingMigrations(db)
  return pending.length === 0 ? await readStore(db) : undefined
}
