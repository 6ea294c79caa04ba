import type { StoreAddress } from '../../lib/ids/store-address.ts'
import type { Writable } from '../postgres/statement.ts'

// A database of `petstore dev`, which says itself which store is where: it has no `petstore sandbox create`.

/** Creates a database beside the one that this is, if it does not exist. */
export async function createDatabase(db: Writable, name: string) {
  const found = await db.query({
    name: 'stores.find',
    text: 'select from pg_database where datname = $1',
    values: [name],
  })
  if (found.length === 0) await db.writeOnce({ text: `create database ${name}` })
}

/** Says which store this database is, whatever it has. The live one has no test keys. */
export async function markStore(db: Writable, address: StoreAddress) {
  await db.write({
    name: 'stores.mark',
    text: `
      update store set address = $1, test_keys_elsewhere = $1 = 'live'
      where address <> $1 or test_keys_elsewhere <> ($1 = 'live')`,
    values: [address],
  })
}
