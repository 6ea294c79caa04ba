import type { ReadinessTimes } from '../lib/times.ts'
import { readConnections } from '../storage/postgres/server.ts'
import type { Queryable } from '../storage/postgres/statement.ts'

interface Settings {
  workers: number
  /** Of each process, for its work. */
  connections: number
}

// Beside its pool: for notifications of keys, for the feed, and for two probes of a database that is lost.
const OTHER_CONNECTIONS = 4

/** How many connections the processes of one `petstore serve` can open, and what to change if PostgreSQL accepts fewer. */
export async function compareConnections(db: Queryable, settings: Settings, deadline?: number) {
  const { most, reserved, open } = await readConnections(db, deadline)
  const { workers, connections } = settings
  const needed = workers * (connections + OTHER_CONNECTIONS)
  const accepted = most - reserved
  const shortage =
    needed > accepted
      ? `WORKERS=${workers} and DATABASE_CONNECTIONS=${connections} can open ${needed} connections, ${OTHER_CONNECTIONS} of each process beside its pool, but PostgreSQL accepts ${accepted} (max_connections is ${most}, of which ${reserved} are reserved). Lower them, or raise max_connections.`
      : undefined
  return { needed, accepted, open, shortage }
}

/** For a process that starts, which must not fail or wait because of it. */
export async function connectionWarnings(db: Queryable, settings: Settings, { checkMs }: ReadinessTimes) {
  const compared = await compareConnections(db, settings, performance.now() + checkMs).catch(() => undefined)
  return compared?.shortage === undefined ? [] : [compared.shortage]
}
