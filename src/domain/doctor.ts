import { readFile } from 'node:fs/promises'
import { LAG_STATEMENT } from '../storage/events/sequencer.ts'
import { pendingMigrations } from '../storage/postgres/migrate.ts'
import { DELIVERING_PRIVILEGES, missingPrivileges, SERVING_PRIVILEGES } from '../storage/postgres/privileges.ts'
import { readBackupSlot, readClock } from '../storage/postgres/server.ts'
import type { Queryable } from '../storage/postgres/statement.ts'
import { readStore } from '../storage/stores/row.ts'
import { countWebhooks } from '../storage/webhooks/health.ts'
import { type ConnectionSettings, compareConnections } from './connections.ts'

/** `wrong`: requests fail, or will. `warning`: the operator may want it so. */
export interface Finding {
  check: string
  state: 'ok' | 'warning' | 'wrong'
  /** What was found; and, if it is not ok, what to do. */
  detail: string
}

type Verdict = Omit<Finding, 'check'>

export interface Examined extends ConnectionSettings {
  /** Whether a sandbox is configured, for test keys. */
  hasSandbox: boolean
  webhookMasterSecret: string | undefined
  /** Where the last backup has left its time, if that is known. */
  backupMetrics: string | undefined
}

const ok = (detail: string): Verdict => ({ state: 'ok', detail })
const warning = (detail: string): Verdict => ({ state: 'warning', detail })
export const wrong = (detail: string): Verdict => ({ state: 'wrong', detail })

// Keys expire by the clock of the process, and reservations by that of PostgreSQL.
const CLOCKS_WARNING_S = 2
const CLOCKS_WRONG_S = 30
// More than a process takes that has lost the lock of another.
const FEED_LAG_S = 10
const FULL_SHARE = 0.9
// Once a day, and two hours more.
const BACKUP_AGE_S = 26 * 3_600

const CHECKS: Record<string, (db: Queryable, settings: Examined) => Promise<Verdict>> = {
  schema: checkSchema,
  store: checkStore,
  rights: checkPrivileges,
  connections: checkConnections,
  clocks: checkClocks,
  secret: checkSecret,
  feed: checkFeed,
  webhooks: checkWebhooks,
  backups: checkBackups,
}

/** Examines a deployment by its database, and changes nothing. A check that fails is wrong for the reason that `explain` gives. */
export async function examine(db: Queryable, settings: Examined, explain: (error: unknown) => string) {
  const findings: Finding[] = []
  for (const [check, run] of Object.entries(CHECKS)) {
    // A sandbox needs no backup.
    if (check === 'backups' && settings.address === 'test') continue
    const verdict = await run(db, settings).catch((error: unknown) => wrong(explain(error)))
    findings.push({ check, ...verdict })
  }
  return findings
}

async function checkSchema(db: Queryable) {
  const pending = await pendingMigrations(db)
  if (pending.length === 0) return ok('the database is at this version')
  return wrong(`the database lacks ${pending.map(({ name }) => name).join(', ')}. Run \`petstore migrate\`.`)
}

/** A process does not use the database of another store. */
async function checkStore(db: Queryable, { address, hasSandbox }: Examined) {
  const { address: found, testKeysElsewhere } = await readStore(db)
  if (found !== address)
    return wrong(
      found === 'test'
        ? 'the database is a sandbox. Have DATABASE_URL and SANDBOX_DATABASE_URL been swapped?'
        : 'the database is not a sandbox. Run `petstore sandbox create`, or correct SANDBOX_DATABASE_URL.',
    )
  if (address === 'test') return ok('the database is a sandbox')
  if (hasSandbox && !testKeysElsewhere)
    return wrong('the database still has the test keys. Run `petstore sandbox create`.')
  if (!hasSandbox && testKeysElsewhere)
    return warning('test keys were moved to a sandbox, and are rejected here. Set SANDBOX_DATABASE_URL.')
  return ok(`the database is the live store${hasSandbox ? '' : ', also of test keys'}`)
}

/** A role that can't serve may be that of `petstore deliver`. */
async function checkPrivileges(db: Queryable) {
  const missing = await missingPrivileges(db, SERVING_PRIVILEGES)
  if (missing.length === 0) return ok('the role has what `petstore serve` needs')
  if ((await missingPrivileges(db, DELIVERING_PRIVILEGES)).length === 0)
    return ok('the role has what `petstore deliver` needs')
  return wrong(`the role lacks ${missing.join('; ')}. Run deploy/postgres/grants.sql as the owner of the tables.`)
}

async function checkConnections(db: Queryable, settings: Examined) {
  const { needed, accepted, open, shortage } = await compareConnections(db, settings)
  if (shortage !== undefined) return warning(shortage)
  const used = `${open} of ${accepted} connections are open; one \`petstore serve\` with these settings needs up to ${needed}`
  if (open < accepted * FULL_SHARE) return ok(used)
  return warning(`${used}. Raise max_connections, or see in pg_stat_activity who has them.`)
}

async function checkClocks(db: Queryable) {
  const before = Date.now()
  const now = (await readClock(db)).getTime()
  const after = Date.now()
  // Between the two moments nobody knows better.
  const seconds = Math.max(before - now, now - after, 0) / 1_000
  const found = `the clocks of this machine and of PostgreSQL differ by ${seconds.toFixed(1)} s`
  if (seconds < CLOCKS_WARNING_S) return ok(found)
  const advice = `${found}. Synchronise both, for example with chrony: keys and reservations end too early or too late.`
  return seconds < CLOCKS_WRONG_S ? warning(advice) : wrong(advice)
}

async function checkSecret(db: Queryable, { webhookMasterSecret }: Examined) {
  if (webhookMasterSecret !== undefined) return ok('WEBHOOK_MASTER_SECRET is set')
  const { all } = await countWebhooks(db)
  if (all === 0) return ok('WEBHOOK_MASTER_SECRET is not set, and there are no webhooks')
  return wrong(
    `WEBHOOK_MASTER_SECRET is not set, but there are ${all} webhooks. Set it to the secret that they were created with.`,
  )
}

async function checkFeed(db: Queryable) {
  const [row] = await db.query<{ seconds: number }>(LAG_STATEMENT)
  const seconds = row?.seconds ?? 0
  if (seconds < FEED_LAG_S) return ok('every event is in the feed')
  return wrong(
    `an event of ${Math.round(seconds)} s ago is not in the feed yet. Is a \`petstore serve\` running, and does its log have warnings about the feed?`,
  )
}

async function checkWebhooks(db: Queryable) {
  const { all, undelivered, disabled, paused, failing } = await countWebhooks(db)
  if (undelivered > 0)
    return wrong(`no process delivers for ${undelivered} of ${all} webhooks. Start \`petstore deliver\`.`)
  const found = `${all} webhooks, ${disabled} disabled, ${paused} paused with their key, ${failing} failing for over 30 minutes`
  if (disabled + paused + failing === 0) return ok(found)
  return warning(
    `${found}. See \`petstore webhooks list\`; \`petstore webhooks resume\` continues a disabled one, and with \`--key\` one whose key has ended.`,
  )
}

async function checkBackups(db: Queryable, { backupMetrics }: Examined) {
  const slot = await readBackupSlot(db)
  if (slot && (slot.walStatus === 'lost' || slot.walStatus === 'unreserved'))
    return wrong(
      `WAL that no backup has is lost (slot \`backup\`). Make a full backup at once: docs/operations.md#back-up`,
    )
  if (slot && !slot.isActive)
    return wrong('no process fetches WAL for backups (slot `backup`). Start petstore-receive-wal.')
  if (backupMetrics === undefined)
    return warning(
      `${slot ? 'WAL is fetched, but when' : 'WAL is not fetched, and when'} the last backup was completed is not known. Set BACKUP_METRICS as deploy/postgres/backup has it; docs/operations.md#back-up explains backups.`,
    )
  const age = Date.now() / 1_000 - (await readCompletion(backupMetrics))
  if (Number.isNaN(age)) return wrong(`${backupMetrics} has no time of a backup. See the journal of petstore-backup.`)
  const found = `the last backup was completed ${Math.round(age / 3_600)} hours ago`
  if (age > BACKUP_AGE_S) return wrong(`${found}. See the journal of petstore-backup, and run it.`)
  return slot ? ok(found) : warning(`${found}, but WAL since then is not fetched (there is no slot \`backup\`).`)
}

/** In seconds since 1970. */
async function readCompletion(file: string) {
  const text = await readFile(file, 'utf8')
  return Number(/^petstore_backup_completed_timestamp_seconds (\d+)$/m.exec(text)?.[1])
}
