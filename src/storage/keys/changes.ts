import type { ApiKey } from '../../domain/types/key.ts'
import type { RateLimit } from '../../lib/rate-limit.ts'
import type { Queryable, Statement, Writable } from '../postgres/statement.ts'
import { CHANGES_CHANNEL, COLUMNS } from './keys.ts'

export type NewKeyRow = Pick<ApiKey, 'id' | 'name' | 'mode' | 'scopes' | 'expiresAt' | 'rateLimit'> & { hash: string }

/** What is recorded of a change, besides the key and the time: the new value in words, and who made it. */
export interface Note {
  detail: string
  who: string
}

export interface KeyChange extends Note {
  changedAt: Date
  what: 'created' | 'rotated' | 'revoked' | 'expiry' | 'limit'
}

// Every statement here records its change, and notifies every process if the key existed before: all of it, or nothing.

export async function insert(db: Writable, key: NewKeyRow, { detail, who }: Note): Promise<ApiKey> {
  const [row] = await db.writeOnce<ApiKey>({
    name: 'keys.insert',
    text: `
      with made as (
        insert into api_keys (id, name, mode, hash, scopes, expires_at, rate_quota, rate_window_seconds)
        select $1, $2, $3, $4, $5, $6, $7, $8 where $3 = 'live' or not (select test_keys_elsewhere from store)
        returning ${COLUMNS}),
      noted as (
        insert into key_changes (key_id, what, detail, who) select id, 'created', $9, $10 from made)
      select * from made`,
    values: [
      key.id,
      key.name,
      key.mode,
      key.hash,
      key.scopes,
      key.expiresAt,
      key.rateLimit?.quota,
      key.rateLimit?.windowSeconds,
      detail,
      who,
    ],
  })
  if (!row) throw new Error('the test keys of this store were moved to a sandbox meanwhile')
  return row
}

/** Replaces the key `id` by a new one like it. The old key expires at `overlapEnd` at the latest. */
export interface Rotation {
  id: string
  newId: string
  newHash: string
  overlapEnd: Date
}

/** Returns the new key; undefined if the old one no longer works, or was already replaced. */
export async function rotate(db: Writable, rotation: Rotation, { detail, who }: Note): Promise<ApiKey | undefined> {
  const { id, newId, newHash, overlapEnd } = rotation
  const [row] = await db.write<ApiKey>({
    name: 'keys.rotate',
    // The new key lives for as long as the old one was made for. In seconds, since a day of an interval may have 23 or 25 hours.
    text: `
      with old as (
        select * from api_keys
        where id = $1 and revoked_at is null and replaced_by is null and (expires_at is null or expires_at > now())
        for update),
      replaced as (
        update api_keys set replaced_by = $2, expires_at = least(old.expires_at, $4)
        from old where api_keys.id = old.id),
      made as (
        insert into api_keys
          (id, name, mode, hash, scopes, rate_quota, rate_window_seconds, open_orders, first_id, expires_at)
        select $2, name, mode, $3, scopes, rate_quota, rate_window_seconds, open_orders, coalesce(first_id, id),
               now() + make_interval(secs => extract(epoch from expires_at - created_at)::float8)
        from old returning ${COLUMNS}),
      noted as (
        insert into key_changes (key_id, what, detail, who)
        select id, 'rotated', $5::text, $6::text from old
        union all select id, 'created', 'in place of ' || $1, $6::text from made)
      select made.* from made, pg_notify('${CHANGES_CHANNEL}', $1)`,
    values: [id, newId, newHash, overlapEnd, detail, who],
  })
  return row
}

/** Undefined if there is no such key, or it was already revoked: the first time stays. */
export async function revoke(db: Writable, id: string, who: string) {
  return change(db, { id, what: 'revoked', detail: '', who }, 'revoked_at = now()', 'revoked_at is null')
}

/** Undefined if there is no such key, or it was revoked, has expired, or already expires at that time. */
export async function setExpiry(db: Writable, id: string, expiresAt: Date | null, note: Note) {
  const set = 'expires_at = $4'
  const differs = `revoked_at is null and (expires_at is null or expires_at > now())
    and expires_at is distinct from $4`
  return change(db, { id, what: 'expiry', ...note }, set, differs, expiresAt)
}

/** Undefined if there is no such key, or it was revoked, or already has that limit. */
export async function setRateLimit(db: Writable, id: string, limit: RateLimit | null, note: Note) {
  const set = 'rate_quota = $4::integer, rate_window_seconds = $5::integer'
  const differs = `revoked_at is null and
    (rate_quota, rate_window_seconds) is distinct from ($4::integer, $5::integer)`
  return change(db, { id, what: 'limit', ...note }, set, differs, limit?.quota, limit?.windowSeconds)
}

/**
 * Sets the limit of all keys of the chain, which share it. Undefined if there is no such key, or it was revoked, or already has that limit.
 */
export async function setOpenOrders(db: Writable, id: string, openOrders: number | null, { detail, who }: Note) {
  const rows = await db.write<ApiKey>({
    name: 'keys.openOrders',
    text: `
      with changed as (
        update api_keys set open_orders = $2
        where coalesce(first_id, id) = (select coalesce(first_id, id) from api_keys where id = $1 and revoked_at is null)
          and open_orders is distinct from $2
        returning ${COLUMNS}),
      noted as (
        insert into key_changes (key_id, what, detail, who) select id, 'limit', $3, $4 from changed)
      select changed.* from changed, pg_notify('${CHANGES_CHANNEL}', changed.id)`,
    values: [id, openOrders, detail, who],
  })
  return rows.find((row) => row.id === id)
}

type Change = Pick<KeyChange, 'what' | 'detail' | 'who'> & { id: string }

/** May be sent again: if nothing differs, it changes nothing and records nothing. */
async function change(
  db: Writable,
  { id, what, detail, who }: Change,
  set: string,
  differs: string,
  ...more: unknown[]
) {
  const statement: Statement = {
    name: `keys.${what}`,
    text: `
      with changed as (
        update api_keys set ${set} where id = $1 and ${differs} returning ${COLUMNS}),
      noted as (
        insert into key_changes (key_id, what, detail, who) select id, '${what}', $2, $3 from changed)
      select changed.* from changed, pg_notify('${CHANGES_CHANNEL}', changed.id)`,
    values: [id, detail, who, ...more],
  }
  const [row] = await db.write<ApiKey>(statement)
  return row
}

export async function listChanges(db: Queryable, id: string): Promise<KeyChange[]> {
  return db.query<KeyChange & Record<string, unknown>>({
    name: 'keys.listChanges',
    text: `
      select changed_at as "changedAt", what, detail, who from key_changes
      where key_id = $1 order by id`,
    values: [id],
  })
}
