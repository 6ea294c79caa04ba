import type pg from 'pg'
import { DEFAULT_STORE, type StoreAddress, URL_VARIABLES } from '../../lib/ids/store-address.ts'
import type { DatabaseTimes } from '../../lib/times.ts'
import { UNSAFE_SETTINGS, type UnsafeSetting } from '../../lib/unsafe-settings.ts'
import { newClient } from './connection.ts'
import { DatabaseRejects } from './failures.ts'

const WHY: Record<UnsafeSetting, string> = {
  fsync: 'fsync is off: when its machine crashes, pets that were confirmed are lost, or all of them. Turn it on.',
  synchronous_commit:
    'synchronous_commit is off, or does not wait until the standby has flushed: when it crashes, pets that were confirmed are lost. Turn it on, for this user and database too.',
  full_page_writes: 'full_page_writes is off: when its machine crashes, pages may be torn for good. Turn it on.',
  read_only: 'it takes no writes: it is a standby, or read-only by default. DATABASE_URL must lead to the primary.',
}

/** Of a database that is another store than the one that it is configured as. */
const WHAT_ELSE: Record<StoreAddress, string> = {
  live: 'it is a sandbox. Have the two URLs been swapped?',
  test: 'it is not a sandbox. Make it one with `petstore sandbox create`, or correct the URL.',
}

/** The server responds, but what is written to it could be lost, or get into the wrong store. */
export class UnsafeDatabase extends Error {
  override name = 'UnsafeDatabase'
}

/** What the database of a process must be. */
export interface Required {
  /** The store that it must be; any, if absent. */
  address?: StoreAddress
  /** Whether it may not say yet which store it is. */
  mayBeUnmarked?: boolean
  /** Durability settings that may be off. */
  allowed: readonly UnsafeSetting[]
}

/** Opens a connection, and throws unless the server can be written to, keeps what it acknowledges, and has the right store. */
export async function probePrimary(
  url: string,
  { address, mayBeUnmarked = false, allowed }: Required,
  { probeMs }: Pick<DatabaseTimes, 'probeMs'>,
) {
  const client = newClient(url, { connectionTimeoutMillis: probeMs, query_timeout: probeMs })
  try {
    await client.connect()
    const { rows } = await client.query<Record<UnsafeSetting, boolean>>(`
      select current_setting('fsync') = 'off' as fsync,
             current_setting('synchronous_commit') = 'off' or
               current_setting('synchronous_commit') in ('local', 'remote_write') and
               current_setting('synchronous_standby_names') <> '' as synchronous_commit,
             current_setting('full_page_writes') = 'off' as full_page_writes,
             pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as read_only`)
    const settings = UNSAFE_SETTINGS.filter((setting) => rows[0]?.[setting] && !allowed.includes(setting))
    if (settings.length > 0) throw unsafe(address, settings)
    if (address !== undefined) await requireStore(client, address, mayBeUnmarked)
  } finally {
    client.end().catch(() => {})
  }
}

function unsafe(address: StoreAddress = DEFAULT_STORE, settings: UnsafeSetting[]) {
  const sentences = settings.map((setting) => `  ${WHY[setting].replace('DATABASE_URL', URL_VARIABLES[address])}`)
  // Set for the sandbox, it would allow the same of the live database.
  const advice =
    address === DEFAULT_STORE ? `\nIf you know better, set ALLOW_UNSAFE_DATABASE=${settings.join(',')}` : ''
  return new UnsafeDatabase(
    `The database at ${URL_VARIABLES[address]} can't be used:\n${sentences.join('\n')}${advice}`,
  )
}

async function requireStore(client: pg.Client, address: StoreAddress, mayBeUnmarked: boolean) {
  const { rows } = await client.query<{ isReadable: boolean }>(`
    select case when to_regclass('store') is not null
      then has_table_privilege(to_regclass('store')::oid, 'select') else false end as "isReadable"`)
  if (!rows[0]?.isReadable) {
    if (mayBeUnmarked) return
    throw new DatabaseRejects(
      `the database at ${URL_VARIABLES[address]} does not say whether it is the sandbox: run \`petstore migrate\`, then deploy/postgres/grants.sql`,
    )
  }
  const { rows: stores } = await client.query<{ address: string }>('select address from store')
  if (!stores[0])
    throw new DatabaseRejects(
      `the table \`store\` of the database at ${URL_VARIABLES[address]} has no row; insert one with the address of this store, live or test`,
    )
  if (stores[0].address !== address)
    throw new UnsafeDatabase(`The database at ${URL_VARIABLES[address]} can't be used: ${WHAT_ELSE[address]}`)
}

/** Commits a WAL message, which is acknowledged when a pet would be: after the standby has it, if there must be one. */
export async function probeCommit(
  url: string,
  closed: AbortSignal,
  { probeMs, probeCommitMs }: Pick<DatabaseTimes, 'probeMs' | 'probeCommitMs'>,
) {
  const client = newClient(url, { connectionTimeoutMillis: probeMs, query_timeout: probeCommitMs })
  const end = () => void client.end().catch(() => {})
  closed.addEventListener('abort', end)
  try {
    await client.connect()
    await client.query(`select pg_logical_emit_message(true, 'petstore', 'probe')`)
  } finally {
    closed.removeEventListener('abort', end)
    end()
  }
}
