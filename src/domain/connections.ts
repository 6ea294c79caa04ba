import { DEFAULT_STORE, type StoreAddress } from '../lib/ids/store-address.ts'
import { readConnections } from '../storage/postgres/server.ts'
import type { Queryable } from '../storage/postgres/statement.ts'

export interface ConnectionSettings {
  address: StoreAddress
  workers: number
  /** Of each process, for its work. */
  connections: number
}

// Beside its pool: for notifications of keys, for the feed, and for two probes of a database that is lost.
const OTHER_CONNECTIONS = 4

/** How many connections the processes of one `petstore serve` can open, and what to change if PostgreSQL accepts fewer. */
export async function compareConnections(db: Queryable, settings: ConnectionSettings) {
  const { most, reserved, open } = await readConnections(db)
  const { address, workers, connections } = settings
  // No variable changes how many a sandbox has.
  const pool = address === DEFAULT_STORE ? `DATABASE_CONNECTIONS=${connections}` : `the ${connections} of a sandbox`
  const needed = workers * (connections + OTHER_CONNECTIONS)
  const accepted = most - reserved
  const shortage =
    needed > accepted
      ? `WORKERS=${workers} and ${pool} can open ${needed} connections, ${OTHER_CONNECTIONS} of each process beside its pool, but PostgreSQL accepts ${accepted} (max_connections is ${most}, of which ${reserved} are reserved). Lower ${address === DEFAULT_STORE ? 'them' : 'WORKERS'}, or raise max_connections.`
      : undefined
  return { needed, accepted, open, shortage }
}
