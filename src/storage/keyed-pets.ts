import { Batcher, type Caller } from '../lib/batch.ts'
import type { Transaction, Transactional } from './database.ts'
import { arrayOf, BATCHES, MAX_INSERTS, type NewPet } from './pets.ts'

/** A pet to add once, however often it is asked for with this key. */
export interface KeyedPet {
  apiKeyId: string
  key: string
  /** SHA-256 of the pet, in hexadecimal: equal where the pets are. */
  fingerprint: string
  pet: NewPet
}

type KeyedResult =
  | { outcome: 'created' | 'replayed'; petId: bigint }
  /** The key stands for another pet. */
  | { outcome: 'reused' }
  /** Another transaction is storing this key just now: nothing was done. */
  | { outcome: 'in progress' }

export interface KeyedPets {
  /** Adds a pet unless its key is stored already; what this reports as created or replayed is committed and flushed. */
  insert: (pet: KeyedPet, caller?: Caller) => Promise<KeyedResult>
}

/** Apart from creates without a key, which need one statement where these need a transaction. */
export function openKeyedPets(db: Transactional): KeyedPets {
  const inserts = new Batcher({
    ...BATCHES,
    maxItems: MAX_INSERTS,
    send: (pets: KeyedPet[]) => db.transaction((transaction) => insertAll(transaction, pets)),
  })
  return { insert: (pet, caller) => inserts.submit(pet, caller) }
}

/**
 * Stores the keys in one statement and reads them in the next, which has a snapshot of its own: in one statement, whoever
 * loses a race for a key would see neither its own row nor the winner's. Of equal keys in a batch the second finds the first.
 */
async function insertAll(transaction: Transaction, pets: KeyedPet[]): Promise<KeyedResult[]> {
  const [drawn] = await transaction.query<{ ids: string; free: string }>(storeKeysStatement(pets))
  const ids = drawn?.ids.split(',') ?? []
  const free = drawn?.free.split(',') ?? []
  if (ids.length !== pets.length) throw new Error('keyedPets.storeKeys did not return one id for each pet')
  const results: KeyedResult[] = pets.map(() => ({ outcome: 'in progress' }))

  const mine = pets.flatMap((pet, i) => (free[i] === 't' ? [{ ...pet, id: ids[i] ?? '', place: i }] : []))
  if (mine.length === 0) return results
  const [stored] = await transaction.query<{ ids: string; same: string }>(storePetsStatement(mine))
  const storedIds = stored?.ids.split(',') ?? []
  const same = stored?.same.split(',') ?? []
  if (storedIds.length !== mine.length) throw new Error('keyedPets.storePets did not return one id for each pet')
  for (const [i, { id, place }] of mine.entries()) {
    const storedId = storedIds[i]
    // A key that was there, and was pruned between the statements: it is free now.
    if (!storedId) continue
    if (same[i] === 't') results[place] = { outcome: storedId === id ? 'created' : 'replayed', petId: BigInt(storedId) }
    else results[place] = { outcome: 'reused' }
  }
  return results
}

/**
 * Draws an id for each pet and stores the keys that are free. A key that another transaction is storing would hold up the
 * whole batch until that one ends: its lock tells so beforehand, and it is left out. The lock is a hint and may be wrong in
 * either way; that a key is stored once is the primary key's doing. Sorted, so that no two batches wait for each other.
 */
export function storeKeysStatement(pets: KeyedPet[]) {
  return {
    name: 'keyedPets.storeKeys',
    text: `
      with input as materialized (
        select nextval('pets_id_seq') as id, api_key_id, key, fingerprint, position,
               pg_try_advisory_xact_lock(hashtextextended(key, hashtextextended(api_key_id, 0))) as free
        from unnest($1::text[], $2::text[], $3::bytea[]) with ordinality as new (api_key_id, key, fingerprint, position)),
      stored as (
        insert into idempotency_keys (api_key_id, key, fingerprint, pet_id)
        select api_key_id, key, fingerprint, id from input where free order by api_key_id, key, position
        on conflict do nothing)
      select string_agg(id::text, ',' order by position) as ids,
             string_agg(case when free then 't' else 'f' end, ',' order by position) as free
      from input`,
    values: keyColumns(pets),
  }
}

/** Adds the pets whose keys were stored with the ids that were drawn for them, and tells what is stored for each key. */
export function storePetsStatement(pets: (KeyedPet & { id: string })[]) {
  return {
    name: 'keyedPets.storePets',
    // The limit makes the planner look each key up: a join it might carry out by reading the whole table.
    text: `
      with input as materialized (
        select new.id, name, category_id, status, position, stored.pet_id, stored.fingerprint = new.fingerprint as same
        from unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[], $5::text[], $6::bigint[], $7::text[])
          with ordinality as new (api_key_id, key, fingerprint, id, name, category_id, status, position)
        left join lateral (
          select pet_id, fingerprint from idempotency_keys
          where api_key_id = new.api_key_id and key = new.key limit 1) as stored on true),
      inserted as (
        insert into pets (id, name, category_id, status)
        select id, name, category_id, status from input where pet_id = id)
      select string_agg(coalesce(pet_id::text, ''), ',' order by position) as ids,
             string_agg(case when same then 't' else 'f' end, ',' order by position) as same
      from input`,
    values: [
      ...keyColumns(pets),
      arrayOf(pets.map(({ id }) => id)),
      pets.map(({ pet }) => pet.name),
      arrayOf(pets.map(({ pet }) => pet.categoryId)),
      arrayOf(pets.map(({ pet }) => pet.status ?? null)),
    ],
  }
}

function keyColumns(pets: KeyedPet[]) {
  return [
    pets.map(({ apiKeyId }) => apiKeyId),
    pets.map(({ key }) => key),
    arrayOf(pets.map(({ fingerprint }) => `\\\\x${fingerprint}`)),
  ]
}
