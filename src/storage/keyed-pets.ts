import { Batcher, type Caller } from '../lib/batch.ts'
import { BY_INDEX_ONLY, type Transaction, type Transactional } from './database.ts'
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
    send: (pets: KeyedPet[], deadline) => db.transaction((transaction) => insertAll(transaction, pets), deadline),
  })
  return { insert: (pet, caller) => inserts.submit(pet, caller) }
}

/**
 * Stores the keys that are free, then their pets. What a key that was taken stands for is read by a statement of its own,
 * with a snapshot of its own: the first one's would show neither a row of its own nor that of whoever has just won the race.
 * Of equal keys in a batch the second finds the first.
 */
async function insertAll(transaction: Transaction, pets: KeyedPet[]): Promise<KeyedResult[]> {
  const [row] = await transaction.query<{ ids: string; keys: string }>(storeKeysStatement(pets))
  const ids = row?.ids.split(',') ?? []
  const keys = row?.keys ?? ''
  if (ids.length !== pets.length) throw new Error('keyedPets.storeKeys did not return one id for each pet')

  const stored = pets.flatMap(({ pet }, i) => (keys[i] === STORED ? { id: ids[i] ?? '', ...pet } : []))
  if (stored.length > 0) await transaction.query(storePetsStatement(stored))
  const taken = pets.filter((_, i) => keys[i] === TAKEN)
  const found = taken.length > 0 ? await readKeys(transaction, taken) : []
  return pets.map((_, i) => {
    if (keys[i] === STORED) return { outcome: 'created', petId: BigInt(ids[i] ?? '') }
    return (keys[i] === TAKEN && found.shift()) || { outcome: 'in progress' }
  })
}

const STORED = 's'
const TAKEN = 't'
const LEFT_OUT = 'l'

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
               pg_try_advisory_xact_lock(hashtextextended(key, hashtextextended(api_key_id, 0))) as is_free
        from unnest($1::text[], $2::text[], $3::bytea[]) with ordinality as new (api_key_id, key, fingerprint, position)),
      stored as (
        insert into idempotency_keys (api_key_id, key, fingerprint, pet_id)
        select api_key_id, key, fingerprint, id from input where is_free order by api_key_id, key, position
        on conflict do nothing returning pet_id)
      select string_agg(id::text, ',' order by position) as ids,
             string_agg(
               case when pet_id is not null then '${STORED}' when is_free then '${TAKEN}' else '${LEFT_OUT}' end,
               '' order by position) as keys
      from input left join stored on pet_id = id`,
    values: keyColumns(pets),
  }
}

function storePetsStatement(pets: (NewPet & { id: string })[]) {
  return {
    name: 'keyedPets.storePets',
    text: `
      insert into pets (id, name, category_id, status)
      select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[])`,
    values: [
      arrayOf(pets.map(({ id }) => id)),
      pets.map(({ name }) => name),
      arrayOf(pets.map(({ categoryId }) => categoryId)),
      arrayOf(pets.map(({ status = null }) => status)),
    ],
  }
}

/**
 * What somebody else has stored may be here and not yet on the standby: after a crash, PostgreSQL shows rows whose commit was
 * never confirmed. A message in its log makes this commit wait for the standby too, and so for all that came before it.
 */
const WAIT_FOR_STANDBY = { text: `select pg_logical_emit_message(true, 'petstore', 'replay')` }

/** What each key stands for; undefined for one that was there, and has been pruned since. */
async function readKeys(transaction: Transaction, pets: KeyedPet[]): Promise<(KeyedResult | undefined)[]> {
  await transaction.query(BY_INDEX_ONLY)
  await transaction.query(WAIT_FOR_STANDBY)
  const rows = await transaction.query<{ petId: bigint | null; isSame: boolean }>(readKeysStatement(pets))
  return rows.map(({ petId, isSame }) => {
    if (petId === null) return undefined
    return isSame ? { outcome: 'replayed', petId } : { outcome: 'reused' }
  })
}

export function readKeysStatement(pets: KeyedPet[]) {
  return {
    name: 'keyedPets.readKeys',
    // The limit makes the planner look each key up, rather than join the whole table.
    text: `
      select stored.pet_id as "petId", stored.fingerprint = new.fingerprint as "isSame"
      from unnest($1::text[], $2::text[], $3::bytea[]) with ordinality as new (api_key_id, key, fingerprint, position)
      left join lateral (
        select pet_id, fingerprint from idempotency_keys
        where api_key_id = new.api_key_id and key = new.key limit 1) as stored on true
      order by position`,
    values: keyColumns(pets),
  }
}

function keyColumns(pets: KeyedPet[]) {
  return [
    pets.map(({ apiKeyId }) => apiKeyId),
    pets.map(({ key }) => key),
    arrayOf(pets.map(({ fingerprint }) => `\\\\x${fingerprint}`)),
  ]
}
