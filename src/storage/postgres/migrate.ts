import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { errorCode } from '../../lib/errors.ts'
import { newClient, rowsOf } from './connection.ts'
import { migrationLockHolder, watchBlockers } from './lock-holders.ts'
import { LOCKS } from './locks.ts'
import type { Queryable } from './statement.ts'

const DIRECTORY = join(import.meta.dirname, '../../../migrations')
const LOCK_POLL_MS = 100
const LOCK_NOTICE_MS = 2_000
const LOCK_PATIENCE_MS = 600_000

// A session that waits for a table's lock holds up all sessions after it, so a migration soon gives up, and tries again.
const LOCK_TIMEOUT_MS = 300
const LOCK_PAUSE_MS = 1_000
const LOCK_TRIES = 100
const LOCK_NOT_AVAILABLE = '55P03'

interface Migration {
  name: string
  sql: string
  checksum: string
}

export interface MigrateOptions {
  directory?: string
  onApply?: (name: string) => void
  /** Another process is migrating; called once, with what is known of it. */
  onWait?: (other: string) => void
  /** A migration waits for locks that others hold; called once for each, with what is known of them. */
  onBlocked?: (name: string, holders: string) => void
  patienceMs?: number
}

/** Another process held the lock for longer than this one waits. */
export class MigrationLocked extends Error {
  override name = 'MigrationLocked'
}

/** Brings the database to this version and returns what it applied. Safe to run from many machines at once. */
export async function migrate(url: string, options: MigrateOptions = {}) {
  const { directory = DIRECTORY, onApply = () => {}, onWait = () => {}, onBlocked = () => {} } = options
  const client = newClient(url, { statement_timeout: 0 })
  await client.connect()
  try {
    await takeLock(client, onWait, options.patienceMs ?? LOCK_PATIENCE_MS)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const pid = rows[0]?.pid ?? 0
    await client.query(`
      create table if not exists schema_migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    const pending = await pendingMigrations({ query: (statement) => rowsOf(client, statement) }, directory)
    for (const migration of pending) {
      onApply(migration.name)
      using _watch = watchBlockers(url, pid, LOCK_NOTICE_MS, (holders) => onBlocked(migration.name, holders))
      await apply(client, migration).catch((error: Error) => {
        throw new Error(`${migration.name} failed`, { cause: error })
      })
    }
    return pending.map(({ name }) => name)
  } finally {
    await client.end() // and with the session, the lock
  }
}

/** The migrations of this version that the database lacks. */
export async function pendingMigrations(db: Queryable, directory = DIRECTORY): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted()
  const migrations = await Promise.all(names.map((name) => readMigration(directory, name)))
  const [table] = await db.query({ text: `select to_regclass('schema_migrations') is null as missing` })
  if (table?.['missing']) return migrations

  const applied = await db.query({ text: 'select name, checksum from schema_migrations' })
  const checksums = new Map(applied.map((row) => [row['name'], row['checksum']]))
  for (const { name, checksum } of migrations) {
    if (checksums.has(name) && checksums.get(name) !== checksum)
      throw new Error(`${name} has changed since it was applied. Restore the file, and put the change into a new one.`)
  }
  return migrations.filter(({ name }) => !checksums.has(name))
}

async function readMigration(directory: string, name: string): Promise<Migration> {
  const sql = await readFile(join(directory, name), 'utf8')
  return { name, sql, checksum: hash('sha256', sql) }
}

async function takeLock(client: pg.Client, onWait: (other: string) => void, patienceMs: number) {
  const began = performance.now()
  let isReported = false
  // Waiting inside pg_advisory_lock would hold a snapshot, and `create index concurrently` in the process that has the lock would wait for
  // that snapshot: a deadlock. Polling holds none.
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCKS.migrations,
    ])
    if (rows[0]?.taken) return
    const waited = performance.now() - began
    if (waited > patienceMs) throw new MigrationLocked(await migrationLockHolder(client))
    if (waited > LOCK_NOTICE_MS && !isReported) {
      isReported = true
      onWait(await migrationLockHolder(client))
    }
    await sleep(LOCK_POLL_MS)
  }
}

async function apply(client: pg.Client, migration: Migration) {
  if (migration.sql.startsWith('-- no transaction')) return await applyAlone(client, migration)
  for (let tries = 1; ; tries++) {
    try {
      return await applyAtOnce(client, migration)
    } catch (error) {
      await client.query('rollback').catch(() => {}) // fails only where the session, and so the work, is gone
      if (errorCode(error) !== LOCK_NOT_AVAILABLE || tries === LOCK_TRIES) throw error
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

async function applyAtOnce(client: pg.Client, migration: Migration) {
  await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
  await client.query(migration.sql)
  await note(client, migration)
  await client.query('commit')
}

/** Sets no lock timeout: the statements of such a file wait for other sessions, but none waits for them. */
async function applyAlone(client: pg.Client, migration: Migration) {
  const statements = migration.sql.split(/;\s*$/m).filter((statement) => statement.trim())
  for (const statement of statements) await client.query(statement)
  await note(client, migration)
}

async function note(client: pg.Client, { name, checksum }: Migration) {
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
}
