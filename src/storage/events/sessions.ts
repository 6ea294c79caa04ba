import type { Statement } from '../postgres/statement.ts'

// A session that waits for a standby stays open, even when its client has given it up: each further one would stay open too.
export const stalledStatement = (ms: number): Statement => ({
  text: `
    select 1 from pg_stat_activity
    where wait_event = 'SyncRep' and datname = current_database() and usename = current_user
      and query_start < clock_timestamp() - interval '${ms} milliseconds' limit 1`,
})

/** Whether PostgreSQL is at work in this session: it may wait for a lock or for the standby. */
export const busyStatement = (pid: number | undefined): Statement => ({
  text: `select 1 from pg_stat_activity where pid = $1 and state <> 'idle'`,
  values: [pid],
})
