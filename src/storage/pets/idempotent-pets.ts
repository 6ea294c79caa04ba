import type { NewPet } from '../../domain/types/pet.ts'
import type { Caller, OnBatch } from '../../lib/batch.ts'
import { type IdempotentResult, openIdempotentInserts, readResults, type StoredBatch } from '../idempotency/inserts.ts'
import { type Idempotent, keyColumns, LEFT_OUT, NOT_STORED, STORED } from '../idempotency/stored-keys.ts'
import type { Statement, Transactional, Writable } from '../postgres/statement.ts'
import { EACH_WORD, type Worded, withWords } from '../search/written-words.ts'
import { petColumns } from './pets.ts'

/** Each operation has keys of its own. */
export const OPERATION = 'createPet'

/** Adds pets with an Idempotency-Key. */
export function openIdempotentPets(db: Writable & Transactional, onBatch?: OnBatch) {
  const { insert, metrics } = openIdempotentInserts(
    'keyedPets.insert',
    async (items: Idempotent<Worded<NewPet>>[], deadline): Promise<IdempotentResult[]> => {
      const [stored] = await db.write<StoredBatch>(storeStatement(items), deadline)
      const results = await readResults(db, OPERATION, items, stored, deadline)
      // A key that existed and has been pruned since is free for the next attempt.
      return results.map((result) => result ?? { outcome: 'in progress' })
    },
    onBatch,
  )
  return {
    insert: (item: Idempotent<NewPet>, caller?: Caller) => insert({ ...item, input: withWords(item.input) }, caller),
    metrics,
  }
}

/**
 * Draws an id for each pet, and stores the keys that are free, and their pets. It may be sent again when its outcome is unknown:
 * the keys that it has stored exist then. A key that another transaction is storing would hold up the whole batch until that
 * transaction ends; its advisory lock shows this beforehand, and the key is left out. The lock is a hint; the unique indexes
 * guarantee that a key is stored once. Sorted as earlier versions sort, so that no two batches wait for each other.
 */
export function storeStatement(items: Idempotent<Worded<NewPet>>[]): Statement {
  const pets = items.map(({ input }) => input)
  return {
    name: 'keyedPets.store',
    text: `
      with input as materialized (
        select nextval('pets_id_seq') as id, name, category_id, status, words,
               api_key_id, chain_id, key, attempt, fingerprint, fingerprint_version, position,
               pg_try_advisory_xact_lock(hashtextextended(key, hashtextextended(chain_id, 0))) as is_free
        from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bytea[], $6::smallint[],
                    $7::text[], $8::bigint[], $9::text[], $10::text[])
          with ordinality as new (api_key_id, chain_id, key, attempt, fingerprint, fingerprint_version,
                                  name, category_id, status, words, position)),
      stored_keys as (
        insert into idempotency_keys
          (api_key_id, chain_id, operation, key, attempt, fingerprint, fingerprint_version, pet_id)
        select api_key_id, chain_id, '${OPERATION}', key, attempt, fingerprint, fingerprint_version, id
        from input where is_free order by api_key_id, key, position
        on conflict do nothing returning pet_id),
      new_pets as (select id, name, category_id, status, words, api_key_id from input join stored_keys on pet_id = id),
      inserted as (
        insert into pets (id, name, category_id, status, worded) select id, name, category_id, status, true from new_pets),
      recorded as (
        insert into events (pet_id, version, type, name, category_id, status, key_id)
        select id, 1, 'pet.created', name, category_id, status, api_key_id from new_pets),
      worded as (insert into pet_words (word, pet_id) select word, id from new_pets, ${EACH_WORD})
      select string_agg(id::text, ',' order by position) as ids,
             string_agg(
               case when pet_id is not null then '${STORED}' when is_free then '${NOT_STORED}' else '${LEFT_OUT}' end,
               '' order by position) as keys
      from input left join stored_keys on pet_id = id`,
    values: [...keyColumns(items), ...petColumns(pets), pets.map(({ words }) => words)],
  }
}
