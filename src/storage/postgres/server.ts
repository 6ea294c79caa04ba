import type { Queryable } from './statement.ts'

/**
 * How many connections the server accepts, and how many of them are reserved for its administrators; how many there are now, of all
 * roles. PostgreSQL hides what the sessions of others are from a role that may not read all statistics, but neither that they exist nor
 * their database, which only connections of clients and a few workers have.
 */
export async function readConnections(db: Queryable) {
  const [row] = await db.query<{ most: number; reserved: number; open: number }>({
    text: `
        select current_setting('max_connections')::int as most,
               current_setting('superuser_reserved_connections')::int +
               coalesce(current_setting('reserved_connections', true)::int, 0) as reserved,
               (select count(*)::int from pg_stat_activity
                where datid is not null and coalesce(backend_type, 'client backend') = 'client backend') as open`,
  })
  return row ?? { most: 0, reserved: 0, open: 0 }
}

export async function readClock(db: Queryable) {
  const [row] = await db.query<{ now: Date }>({ text: 'select clock_timestamp() as now' })
  return row?.now ?? new Date(Number.NaN)
}

/** The replication slot of deploy/postgres/receive-wal; undefined if there is none. */
export async function readBackupSlot(db: Queryable) {
  const [row] = await db.query<{ isActive: boolean; walStatus: string | null }>({
    text: `select active as "isActive", wal_status as "walStatus" from pg_replication_slots where slot_name = 'backup'`,
  })
  return row
}
