import type { Database } from '../../src/storage/postgres/database.ts'
import type { Statement } from '../../src/storage/postgres/statement.ts'

/** A keyed create as versions before migration 0010 sent it, when idempotency keys belonged to one API key and no operation. */
interface EarlierCreate {
  apiKeyId: string
  key: string
  /** SHA-256 of the pet, in hexadecimal. */
  fingerprint: string
  name: string
}

export function earlierStore({ apiKeyId, key, fingerprint, name }: EarlierCreate): Statement {
  return {
    name: 'earlier.store',
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
               case when pet_id is not null then 's' when is_free then 't' else 'l' end,
               '' order by position) as keys
      from input left join stored on pet_id = id`,
    values: [[apiKeyId], [key], [Buffer.from(fingerprint, 'hex')], [1], [name], [1], [null]],
  }
}

export function earlierRead({ apiKeyId, key, fingerprint }: EarlierCreate): Statement {
  return {
    name: 'earlier.readKeys',
    text: `
      select stored.pet_id as "petId", stored.fingerprint = new.fingerprint as "isSame",
             stored.attempt = new.attempt as "isOwn"
      from unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[])
        with ordinality as new (api_key_id, key, fingerprint, attempt, position)
      left join lateral (
        select pet_id, fingerprint, attempt from idempotency_keys
        where api_key_id = new.api_key_id and key = new.key limit 1) as stored on true
      order by position`,
    values: [[apiKeyId], [key], [Buffer.from(fingerprint, 'hex')], [2]],
  }
}

/** The id of the pet that an earlier version returns for a create. While another request is storing the key, it tries again. */
export async function createEarlier(db: Database, create: EarlierCreate): Promise<bigint> {
  for (;;) {
    const [stored] = await db.write<{ ids: string; keys: string }>(earlierStore(create))
    if (stored?.keys === 's') return BigInt(stored.ids)
    if (stored?.keys === 't') {
      const [row] = await db.query<{ petId: bigint | null; isSame: boolean }>(earlierRead(create))
      if (row?.petId && row.isSame) return row.petId
      if (row?.petId) throw new Error('idempotency_key_reused')
    }
  }
}
