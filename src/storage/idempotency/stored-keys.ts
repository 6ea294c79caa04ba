import { pgArrayLiteral } from '../postgres/batches.ts'
import type { Statement } from '../postgres/statement.ts'

/** A row to insert once, however often a request for it arrives with this key. */
export interface Idempotent<Input> {
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

/**
 * What a statement reports of each key, as one letter: it was stored; it was free of locks and not stored, since it exists, or its
 * input is rejected; or it was left out, since another transaction is storing it.
 */
export const STORED = 's'
export const NOT_STORED = 'n'
export const LEFT_OUT = 'l'

/** The keys of a batch as arrays, one for each column: `api_key_id`, `chain_id`, `key`, `attempt`, `fingerprint`, `fingerprint_version`. */
export function keyColumns(items: Idempotent<unknown>[]) {
  return [
    ...identifyingColumns(items),
    pgArrayLiteral(items.map(({ fingerprints }) => `\\\\x${fingerprints[0]}`)),
    pgArrayLiteral(items.map(({ fingerprints }) => fingerprints.length)),
  ]
}

function identifyingColumns(items: Idempotent<unknown>[]) {
  return [
    pgArrayLiteral(items.map(({ apiKeyId }) => apiKeyId)),
    pgArrayLiteral(items.map(({ chainId }) => chainId)),
    items.map(({ key }) => key),
    pgArrayLiteral(items.map(({ attempt }) => attempt)),
  ]
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
export function readKeysStatement(operation: string, items: Idempotent<unknown>[]) {
  return {
    name: 'idempotency.readKeys',
    // The limit makes the planner look each key up, rather than join the whole table.
    text: `
      select pet_id as id, stored.api_key_id as "keyId", encode(fingerprint, 'hex') as fingerprint, fingerprint_version as version,
             stored.attempt = new.attempt as "isOwn"
      from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
        with ordinality as new (api_key_id, chain_id, key, attempt, position)
      left join lateral (
        select * from (
          select 1 as place, pet_id, api_key_id, fingerprint, fingerprint_version, attempt from idempotency_keys
          where key = new.key and operation = $5 and api_key_id = new.api_key_id and chain_id is distinct from api_key_id
          union all
          select 2 as place, pet_id, api_key_id, fingerprint, fingerprint_version, attempt from idempotency_keys
          where key = new.key and operation = $5 and coalesce(chain_id, api_key_id) = new.chain_id) as found
        order by place limit 1) as stored on true
      order by position`,
    values: [...identifyingColumns(items), operation],
  } satisfies Statement
}
