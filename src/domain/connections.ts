import type { StoreAddress } from '../lib/ids/store-address.ts'
import { readConnections } from '../storage/postgres/server.ts'
import type { Queryable } from '../storage/postgres/statement.ts'

interface Pool {
  address: StoreAddress
  databaseUrl: string
  /** Of each process, for its work. */
  connections: number
}

export interface ConnectionSettings {
  /** The store whose server is asked. */
  address: StoreAddress
  workers: number
  stores: readonly Pool[]
}

// Beside each pool: for notifications of keys, for the feed, and for two probes of a database that is lost.
const OTHER_CONNECTIONS = 4

/** How many connections the processes of one `petstore serve` can open to this server, and what to change if it accepts fewer. */
export async function compareConnections(db: Queryable, { address, workers, stores }: ConnectionSettings) {
  const { most, reserved, open } = await readConnections(db)
  const own = stores.filter((store) => store.address === address).map(serverOf)
  const pools = stores.filter((store) => own.includes(serverOf(store)))
  const needed = pools.reduce((sum, { connections }) => sum + workers * (connections + OTHER_CONNECTIONS), 0)
  const accepted = most - reserved
  const causes = new Intl.ListFormat('en-GB').format([`WORKERS=${workers}`, ...pools.map(nameOf)])
  const beside = `${OTHER_CONNECTIONS} of each process beside ${pools.length > 1 ? 'each' : 'its'} pool`
  const variables = pools.some(isSet) ? 'WORKERS or DATABASE_CONNECTIONS' : 'WORKERS'
  const shortage =
    needed > accepted
      ? `${causes} can open ${needed} connections, ${beside}, but PostgreSQL accepts ${accepted} (max_connections is ${most}, of which ${reserved} are reserved). Lower ${variables}, or raise max_connections.`
      : undefined
  return { needed, accepted, open, shortage }
}

/** No variable sets how many a sandbox has. */
function isSet({ address }: Pool) {
  return address === 'live'
}

function nameOf(pool: Pool) {
  return isSet(pool) ? `DATABASE_CONNECTIONS=${pool.connections}` : `the ${pool.connections} of a sandbox`
}

/** By its URL: the other server may be lost. One that has two names counts as two. */
function serverOf({ databaseUrl }: Pool) {
  const { hostname, port, searchParams } = new URL(databaseUrl)
  return `${searchParams.get('host') ?? hostname}:${searchParams.get('port') ?? (port || '5432')}`
}
