import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { arrayOf, BATCHES, MAX_INSERTS, type NewPet, petColumns } from '../pets/pets.ts'
import { int64sOf } from '../postgres/columns.ts'
import { DatabaseBusy, DatabaseUnavailable } from '../postgres/failures.ts'
import { type Statement, type Transactional, WITHOUT_SEQ_SCAN, type Writable } from '../postgres/statement.ts'

/** A pet to add once, however often it is asked for with this key. */
export interface KeyedPet {
  apiKeyId: string
  key: string
  /** SHA-256 of the pet, in hexadecimal: equal where the pets are. */
  fingerprint: string
  /** A random number of the request: what it has stored itself, and stores again after a failure, is no replay. */
  attempt: number
  pet: NewPet
}

type KeyedResult =
  | { outcome: 'created' | 'replayed'; petId: bigint }
  /** The key stands for another pet. */
  | { outcome: 'reused' }
  /** Another transaction is storing this key just now: nothing was done. */
  | { outcome: 'in progress' }
  /** The key is taken, but what it stands for could not be read. */
  | { outcome: 'unread'; error: unknown }

export interface KeyedPets {
  /** Adds a pet unless its key is stored already; what this reports as created or replayed is committed and flushed. */
  insert: (pet: KeyedPet, caller?: Caller) => Promise<KeyedResult>
  /** How often a pet of an earlier call was found. */
  readonly replays: number
}

/** Apart from creates without a key, which have no keys to store. */
export function openKeyedPets(db: Writable & Transactional, onBatch?: OnBatch): KeyedPets {
  let replays = 0
  const inserts = new Batcher({
    ...BATCHES,
    name: 'keyedPets.insert',
    onBatch,
    maxItems: MAX_INSERTS,
    send: async (pets: KeyedPet[], deadline) => {
      const results = await insertAll(db, pets, deadline)
      replays += results.filter(({ outcome }) => outcome === 'replayed').length
      return results
    },
  })
  return {
    insert: (pet, caller) => inserts.submit(pet, caller),
    get replays() {
      return replays
    },
  }
}

/**
 * Stores the keys that are free together with their pets. What a key that was taken stands for is read by a statement of its
 * own, with a snapshot of its own: the first one's would not show the row of whoever has just won the race. Of equal keys in
 * a batch the second finds the first.
 */
async function insertAll(db: Writable & Transactional, pets: KeyedPet[], deadline: number): Promise<KeyedResult[]> {
  const [row] = await db.write<{ ids: string; keys: string }>(storeStatement(pets), deadline)
  const ids = int64sOf(row?.ids, pets.length)
  const keys = row?.keys ?? ''

  const taken = pets.filter((_, i) => keys[i] === TAKEN)
  const found = taken.length > 0 ? await readKeys(db, taken, deadline).catch((error) => unread(taken, error)) : []
  return pets.map((_, i) => {
    if (keys[i] === STORED) return { outcome: 'created', petId: ids[i] as bigint }
    return (keys[i] === TAKEN && found.shift()) || { outcome: 'in progress' }
  })
}

/** For those alone whose keys were to be read: the others' pets are stored. Not busy: that means that nothing was done. */
function unread(pets: KeyedPet[], error: unknown) {
  const told = error instanceof DatabaseBusy ? new DatabaseUnavailable(error.message, { cause: error }) : error
  return pets.map((): KeyedResult => ({ outcome: 'unread', error: told }))
}

const STORED = 's'
const TAKEN = 't'
const LEFT_OUT = 'l'

/**
 * Draws an id for each pet, and stores the keys that are free, and their pets. It may be sent again when nobody knows what
 * became of it: what it has stored is taken then. A key that another transaction is storing would hold up the whole batch
 * until that one ends: its lock tells so beforehand, and it is left out. The lock is a hint and may be wrong in either way;
 * that a key is stored once is the primary key's doing. Sorted, so that no two batches wait for each other.
 */
export function storeStatement(pets: KeyedPet[]): Statement {
  return {
    name: 'keyedPets.store',
    text: `
      with input as materialized (
        select nextval('pets_id_seq') as id, api_key_id, key, fingerprint, attempt, name, category_id, status, position,
               pg_try_advisory_xact_lock(hashtextextended(key, hashtextextended(api_key_id, 0))) as is_free
        from unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[], $5::text[], $6::bigint[], $7::text[])
          with ordinality as new (api_key_id, key, fingerprint, attempt, name, category_id, status, position)),
      stored as (
        insert into idempotency_keys (api_key_id, key, fingerprint, attempt, pet_id)
        select api_key_id, key, fingerprint, attempt, id from input where is_free order by api_key_id, key, position
        on conflict do nothing returning pet_id),
      added as (
        insert into pets (id, name, category_id, status)
        select id, name, category_id, status from input join stored on pet_id = id)
      select string_agg(id::text, ',' order by position) as ids,
             string_agg(
               case when pet_id is not null then '${STORED}' when is_free then '${TAKEN}' else '${LEFT_OUT}' end,
               '' order by position) as keys
      from input left join stored on pet_id = id`,
    values: [...keyColumns(pets), ...petColumns(pets.map(({ pet }) => pet))],
  }
}

/**
 * What somebody else has stored may be here and not yet on the standby: after a crash, PostgreSQL shows rows whose commit was
 * never confirmed. A message in its log makes this commit wait for the standby too, and so for all that came before it.
 */
const WAIT_FOR_STANDBY = { text: `select pg_logical_emit_message(true, 'petstore', 'replay')` }

/** What each key stands for; undefined for one that was there, and has been pruned since. */
async function readKeys(db: Transactional, pets: KeyedPet[], deadline: number): Promise<(KeyedResult | undefined)[]> {
  const rows = await db.transaction(async (transaction) => {
    await transaction.query(WITHOUT_SEQ_SCAN)
    await transaction.query(WAIT_FOR_STANDBY)
    return await transaction.query<{ petId: bigint | null; isSame: boolean; isOwn: boolean | null }>(
      readKeysStatement(pets),
    )
  }, deadline)
  return rows.map(({ petId, isSame, isOwn }) => {
    if (petId === null) return undefined
    return isSame ? { outcome: isOwn ? 'created' : 'replayed', petId } : { outcome: 'reused' }
  })
}

export function readKeysStatement(pets: KeyedPet[]) {
  return {
    name: 'keyedPets.readKeys',
    // The limit makes the planner look each key up, rather than join the whole table.
    text: `
      select stored.pet_id as "petId", stored.fingerprint = new.fingerprint as "isSame",
             stored.attempt = new.attempt as "isOwn"
      from unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[])
        with ordinality as new (api_key_id, key, fingerprint, attempt, position)
      left join lateral (
        select pet_id, fingerprint, attempt from idempotency_keys
        where api_key_id = new.api_key_id and key = new.key limit 1) as stored on true
      order by position`,
    values: keyColumns(pets),
  }
}

function keyColumns(pets: KeyedPet[]) {
  return [
    arrayOf(pets.map(({ apiKeyId }) => apiKeyId)),
    pets.map(({ key }) => key),
    arrayOf(pets.map(({ fingerprint }) => `\\\\x${fingerprint}`)),
    arrayOf(pets.map(({ attempt }) => attempt)),
  ]
}
