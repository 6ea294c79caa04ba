import type { StoreAddress } from '../../lib/ids/store-address.ts'
import type { Queryable } from '../postgres/statement.ts'

/** What a database says of itself. */
export interface StoreRow {
  address: StoreAddress
  /** Whether the test keys of this live store were moved to a sandbox. */
  testKeysElsewhere: boolean
}

export async function readStore(db: Queryable): Promise<StoreRow> {
  const [row] = await db.query<StoreRow & Record<string, unknown>>({
    name: 'stores.read',
    text: 'select address, test_keys_elsewhere as "testKeysElsewhere" from store',
  })
  if (!row) throw new Error('the table `store` has no row')
  return row
}

/** Differs between any two databases, whatever the host names in their URLs. */
export async function readIdentity(db: Queryable): Promise<string> {
  const [row] = await db.query<{ identity: string }>({
    name: 'stores.identity',
    text: `
      select concat_ws(' ', system_identifier, oid) as identity
      from pg_control_system(), pg_database where datname = current_database()`,
  })
  return row?.identity ?? ''
}

// An id that was drawn, even of a pet that is deleted.
const WITHOUT_KEYS = `pg_sequence_last_value('pets_id_seq') is null and not exists (select from api_keys)`
const UNUSED = `${WITHOUT_KEYS} and not exists (select from categories)`

/** Whether a database is a sandbox or unused. It may lack migrations; the first ones made keys, the last ones the rest. */
export async function canBeSandbox(db: Queryable): Promise<boolean> {
  const [tables] = await db.query<{ store: boolean; keys: boolean }>({
    name: 'stores.tables',
    text: `select to_regclass('store') is not null as store, to_regclass('api_keys') is not null as keys`,
  })
  if (!tables?.keys) return true
  const unused = await db.query(
    tables.store
      ? { name: 'stores.canBeSandbox', text: `select from store where address = 'test' or ${UNUSED}` }
      : { name: 'stores.isUnused', text: `select where ${WITHOUT_KEYS}` },
  )
  return unused.length > 0
}

/** Makes an unused database a sandbox. Returns whether it is one now. */
export async function markSandbox(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ address: StoreAddress }>({
    name: 'stores.markSandbox',
    text: `
      update store set address = 'test', test_keys_elsewhere = false
      where address = 'test' or ${UNUSED}
      returning address`,
  })
  return row !== undefined
}

/** So an id of one store is never that of another pet in the other. JavaScript is exact up to 9,007,199,254,740,991. */
export const LAST_LIVE_ID = 9_000_000_000_000_000n

/** Later than the mark: a sequence is not set back with a transaction, and a database whose ids have begun is not unused. */
export async function startIds(db: Queryable) {
  await db.query({
    name: 'stores.startIds',
    text: `select setval('pets_id_seq', $1) where pg_sequence_last_value('pets_id_seq') is null`,
    values: [LAST_LIVE_ID],
  })
}

/** From now on, requests and commands know that this live store has no test keys. */
export async function noteTestKeysElsewhere(db: Queryable) {
  await db.query({ name: 'stores.noteTestKeysElsewhere', text: 'update store set test_keys_elsewhere = true' })
}
