import { arrayOf } from '../postgres/batches.ts'
import type { Statement } from '../postgres/statement.ts'

/** An operation whose requests may carry an Idempotency-Key, and the row that it stores together with the key. */
export interface KeyedOperation<Input, Refusal extends string = never> {
  /** Its operationId: each operation has keys of its own. */
  operation: string
  /** Names its batches and statements. */
  name: string
  /** SQL that draws the id of a new row. */
  nextId: string
  /** The columns of an input and their types. */
  columns: Readonly<Record<string, string>>
  /** The inputs as arrays, one for each of these columns. */
  valuesOf: (inputs: Input[]) => unknown[]
  /** SQL that inserts the rows: it reads `id` and the columns from `claimed`, the inputs whose keys were free. */
  insert: string
  /** SQL that adds the events of what was inserted. It may also read what the guard has changed. */
  record: string
  /** Only where a row may be stored under a condition that the database must check. */
  guard?: Guard<Refusal>
}

/** Decides, between the look at the keys and their insert, which inputs may be stored. A refused input stores no key. */
interface Guard<Refusal> {
  /** CTEs that read `input`. The last one is `allowed`, with the `id` of each input that may be stored if its key is free. */
  before: string
  /** CTEs that may change what else belongs to the rows that were `inserted`. The last one is `refusals`: for each input its `refused_id` and, as `refusal`, why it was not allowed, or could not be stored. */
  after: string
  refusals: readonly Refusal[]
}

/** A row to insert once, however often a request for it arrives with this key. */
export interface Keyed<Input> {
  apiKeyId: string
  /** The first key of the rotation chain: its keys share their idempotency keys. */
  chainId: string
  key: string
  /** SHA-256 of the input in hexadecimal, by each version of what is hashed, the newest first. The newest is stored. */
  fingerprints: readonly [newest: string, ...earlier: string[]]
  /** A random number of the request: a row that an earlier attempt of the same request stored is not a replay. */
  attempt: number
  input: Input
}

export const STORED = 's'
export const TAKEN = 't'
const LEFT_OUT = 'l'

/**
 * Draws an id for each row, and stores the keys that are free, and their rows. It may be sent again when its outcome is unknown:
 * the keys that it has stored are taken then. A key that another transaction is storing would hold up the whole batch until
 * that transaction ends; its advisory lock shows this beforehand, and the key is left out. The lock is a hint; the unique indexes
 * guarantee that a key is stored once. Sorted as earlier versions sort, so that no two batches wait for each other.
 */
export function storeStatement<Input>(operation: KeyedOperation<Input, string>, items: Keyed<Input>[]): Statement {
  const { guard } = operation
  const names = Object.keys(operation.columns).join(', ')
  const arrays = Object.values(operation.columns).map((type, i) => `$${i + 7}::${type}[]`)
  return {
    name: `${operation.name}.store`,
    text: `
      with input as materialized (
        select ${operation.nextId} as id, api_key_id, chain_id, key, attempt, fingerprint, version, ${names}, position,
               pg_try_advisory_xact_lock(hashtextextended(key, hashtextextended(chain_id, 0))) as is_free
        from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bytea[], $6::smallint[], ${arrays.join(', ')})
          with ordinality as new (api_key_id, chain_id, key, attempt, fingerprint, version, ${names}, position)),${guard ? `${guard.before},` : ''}
      stored as (
        insert into idempotency_keys
          (api_key_id, chain_id, operation, key, attempt, fingerprint, fingerprint_version, pet_id)
        select api_key_id, chain_id, '${operation.operation}', key, attempt, fingerprint, version, id
        from input where is_free${guard ? ' and id in (select id from allowed)' : ''} order by api_key_id, key, position
        on conflict do nothing returning pet_id),
      claimed as (select id, api_key_id, ${guard ? 'chain_id, ' : ''}${names} from input join stored on pet_id = id),
      inserted as (${operation.insert})${guard ? `,${guard.after}` : ''},
      recorded as (${operation.record})
      select string_agg(id::text, ',' order by position) as ids,
             string_agg(
               case when pet_id is not null then '${STORED}' when is_free then '${TAKEN}' else '${LEFT_OUT}' end,
               '' order by position) as keys${guard ? `, string_agg(refusal, ',' order by position) as refusals` : ''}
      from input left join stored on pet_id = id${guard ? ' join refusals on refused_id = id' : ''}`,
    values: [
      ...keyColumns(items),
      arrayOf(items.map(({ fingerprints }) => `\\\\x${fingerprints[0]}`)),
      arrayOf(items.map(({ fingerprints }) => fingerprints.length)),
      ...operation.valuesOf(items.map(({ input }) => input)),
    ],
  }
}

export interface StoredKey {
  /** Null, like all others, where there is no such key. */
  id: bigint | null
  /** The key that stored it. */
  keyId: string
  fingerprint: string
  version: number
  /** Null for keys of versions that stored no attempt. */
  isOwn: boolean | null
}

/**
 * Looks for the key first under the API key itself, then under its chain: earlier versions stored the successor of a rotated key
 * under its own id, beside a row of the chain's first key perhaps.
 */
export function readKeysStatement<Input>({ name, operation }: KeyedOperation<Input, string>, items: Keyed<Input>[]) {
  const select = (place: number, where: string) => `
          select ${place} as place, pet_id, api_key_id, fingerprint, fingerprint_version, attempt from idempotency_keys
          where key = new.key and operation = '${operation}' and ${where}`
  return {
    name: `${name}.readKeys`,
    // The limit makes the planner look each key up, rather than join the whole table.
    text: `
      select pet_id as id, stored.api_key_id as "keyId", encode(fingerprint, 'hex') as fingerprint, fingerprint_version as version,
             stored.attempt = new.attempt as "isOwn"
      from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
        with ordinality as new (api_key_id, chain_id, key, attempt, position)
      left join lateral (
        select * from (
          ${select(1, 'api_key_id = new.api_key_id and chain_id is distinct from api_key_id')}
          union all
          ${select(2, 'coalesce(chain_id, api_key_id) = new.chain_id')}) as found
        order by place limit 1) as stored on true
      order by position`,
    values: keyColumns(items),
  }
}

function keyColumns(items: Keyed<unknown>[]) {
  return [
    arrayOf(items.map(({ apiKeyId }) => apiKeyId)),
    arrayOf(items.map(({ chainId }) => chainId)),
    items.map(({ key }) => key),
    arrayOf(items.map(({ attempt }) => attempt)),
  ]
}
