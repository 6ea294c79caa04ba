import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createKey, type NewKey } from '../../domain/key-changes.ts'
import { findKeyByText } from '../../domain/keys.ts'
import { listPets } from '../../domain/pets.ts'
import { SCOPES } from '../../domain/principal.ts'
import type { NewPet } from '../../domain/types/pet.ts'
import type { StoreAddress } from '../../lib/ids/store-address.ts'
import { connect, openPets } from '../../service.ts'
import { migrate } from '../../storage/postgres/migrate.ts'
import { operator } from '../keys/key.ts'
import { LIVE_DATABASE, storeVariables } from './store-variables.ts'

/** The files with the key of each store. */
export const KEY_FILES: Record<StoreAddress, string> = { test: 'key', live: 'live-key' }

const SAMPLES: NewPet[] = [
  { name: 'Rex', categoryId: 1n, status: 'available' },
  { name: 'Whiskers', categoryId: 2n, status: 'available' },
  { name: 'Nemo', categoryId: 3n, status: 'pending' },
  { name: 'Полли', categoryId: 4n, status: 'sold' },
  { name: 'Shelly 🐢', categoryId: 9_223_372_036_854_775_807n },
]

/** Prepares both stores, side by side, and returns the key of each, with the number of keys that work no longer. */
export async function prepareStores(directory: string, postgresUrl: string) {
  const { DATABASE_URL } = storeVariables(postgresUrl)
  const [test, live] = await Promise.all([
    prepareStore(directory, 'test', postgresUrl),
    createLive(postgresUrl).then(() => prepareStore(directory, 'live', DATABASE_URL)),
  ])
  return { test: test.key, live: live.key, lostKeys: test.lostKeys }
}

async function createLive(postgresUrl: string) {
  await using db = connect(postgresUrl)
  const found = await db.query({
    name: 'stores.find',
    text: 'select from pg_database where datname = $1',
    values: [LIVE_DATABASE],
  })
  if (found.length === 0) await db.writeOnce({ text: `create database ${LIVE_DATABASE}` })
}

/**
 * Says which store a database of `.petstore/` is, whatever it has: it has no `petstore sandbox create`. Returns how many valid live keys are in
 * one that becomes a sandbox: they no longer work.
 */
async function markStore(db: ReturnType<typeof connect>, address: StoreAddress) {
  const [row] = await db.write<{ lost: number }>({
    name: 'stores.mark',
    text: `
      with marked as (
        update store set address = $1, test_keys_elsewhere = $1 = 'live'
        where address <> $1 or test_keys_elsewhere <> ($1 = 'live')
        returning address)
      select count(*)::int as lost from api_keys, marked
      where marked.address = 'test' and mode = 'live' and revoked_at is null and (expires_at is null or expires_at > now())`,
    values: [address],
  })
  return row?.lost ?? 0
}

/** Sample pets in a sandbox that has none, and a key with every scope, which stays the same from one start to the next. */
async function prepareStore(directory: string, mode: StoreAddress, databaseUrl: string) {
  await migrate(databaseUrl)
  await using db = connect(databaseUrl)
  const lostKeys = await markStore(db, mode)
  const context = { db, pets: openPets(db) }
  if (mode === 'test') {
    const { pets } = await listPets(context, {}, { limit: 1 })
    if (pets.length === 0) for (const sample of SAMPLES) await context.pets.insert(sample)
  }

  const file = join(directory, KEY_FILES[mode])
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  const row = kept === undefined ? undefined : await findKeyByText(context, kept)
  // The key of an earlier version lacks the scopes that are new, and never gains them: another takes its place.
  if (kept !== undefined && SCOPES.every((scope) => row?.scopes.includes(scope))) return { key: kept, lostKeys }
  const newKey: NewKey = { name: 'dev', mode, scopes: [...SCOPES], expiresAt: null }
  const { key } = await createKey(context, operator(), newKey)
  await writeFile(file, key, { mode: 0o600 })
  return { key, lostKeys }
}
