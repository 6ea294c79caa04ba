import { HEAD_QUERY } from '../events/sequencer.ts'
import { CHANGES_CHANNEL } from '../keys/keys.ts'
import { sqlStateOf } from '../postgres/failures.ts'
import type { Queryable } from '../postgres/statement.ts'

/** The test keys of a live store and what moves with them: the rows of each table as JSON. */
export interface TestKeys {
  ids: string[]
  keys: string
  changes: string
  deprecatedCalls: string
  /** Those that deliver for them. */
  webhooks: string
  movedWebhooks: { id: string; url: string; createdBy: string | null }[]
  /** Open orders that they have placed. These stay where their pets are. */
  openOrders: number
}

// A sandbox that does not respond may not keep keys of the live store locked: one may have to be revoked.
const IDLE_TIMEOUT_MS = 5_000

/** Reads them. No key is created or changed until the end of the transaction. */
export async function takeTestKeys(transaction: Queryable): Promise<TestKeys> {
  await transaction.query({ text: `set local idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}` })
  await transaction.query({ text: 'lock table api_keys in share row exclusive mode' })
  const [row] = await transaction.query<TestKeys & Record<string, unknown>>({
    name: 'stores.takeTestKeys',
    text: `
      with ids as (select id from api_keys where mode = 'test')
      select array(select id from ids) as ids,
             (select json_agg(api_keys)::text from api_keys where mode = 'test') as keys,
             (select json_agg(key_changes)::text from key_changes where key_id in (select id from ids)) as changes,
             (select json_agg(deprecated_calls)::text from deprecated_calls
              where api_key_id in (select id from ids)) as "deprecatedCalls",
             (select json_agg(webhooks)::text from webhooks where changed_by in (select id from ids)) as webhooks,
             (select coalesce(json_agg(json_build_object('id', id, 'url', url, 'createdBy', created_by) order by id), '[]')
              from webhooks where changed_by in (select id from ids)) as "movedWebhooks",
             (select count(*)::int from orders
              where closed_at is null and placed_by in (select id from ids)) as "openOrders"`,
  })
  if (!row) throw new Error('stores.takeTestKeys returned no row')
  return row
}

/**
 * Stores in a sandbox what it lacks. What it has stays, since it was moved before: the live store was restored from before that, or the
 * command was interrupted. Of a key that both have, the row with the newer recorded change stays, and a revoked one stays revoked. Changes
 * get numbers of their own, and webhooks begin at the end of the feed of the sandbox, without failures.
 */
export async function putTestKeys(transaction: Queryable, taken: TestKeys) {
  await transaction.query({
    name: 'stores.putKeys',
    text: `
      with moved as materialized (
        select key_id, max(changed_at) as changed_at from json_populate_recordset(null::key_changes, $2) group by key_id),
      put as (
        insert into api_keys as kept select * from json_populate_recordset(null::api_keys, $1)
        on conflict (id) do update set
          revoked_at = least(kept.revoked_at, excluded.revoked_at), expires_at = excluded.expires_at,
          replaced_by = excluded.replaced_by, open_orders = excluded.open_orders,
          rate_quota = excluded.rate_quota, rate_window_seconds = excluded.rate_window_seconds
        where kept.revoked_at is null and excluded.revoked_at is not null
          or (select changed_at from moved where key_id = excluded.id)
             > (select max(changed_at) from key_changes where key_id = kept.id)
        returning id)
      select pg_notify('${CHANGES_CHANNEL}', id) from put`,
    values: [taken.keys, taken.changes],
  })
  await transaction.query({
    name: 'stores.putChanges',
    text: `
      insert into key_changes (key_id, changed_at, what, detail, who)
      select key_id, changed_at, what, detail, who from json_populate_recordset(null::key_changes, $1) as moved
      where not exists (
        select from key_changes as kept
        where (kept.key_id, kept.changed_at, kept.what, kept.detail) = (moved.key_id, moved.changed_at, moved.what, moved.detail))
      order by id`,
    values: [taken.changes],
  })
  await transaction.query({
    name: 'stores.putDeprecatedCalls',
    text: `
      insert into deprecated_calls select * from json_populate_recordset(null::deprecated_calls, $1)
      on conflict do nothing`,
    values: [taken.deprecatedCalls],
  })
  await transaction.query({
    name: 'stores.putWebhooks',
    text: `
      insert into webhooks (id, name, url, types, state, reason, created_at, created_by, changed_by, has_succeeded, secret_number,
        old_secret_ends_at, attempts, sequence, mark)
      select id, name, url, types, state, reason, created_at, created_by, changed_by, has_succeeded, secret_number,
        old_secret_ends_at, attempts, split_part(head, ' ', 1)::bigint, split_part(head, ' ', 2)::bigint
      from json_populate_recordset(null::webhooks, $1), (${HEAD_QUERY}) as feed
      on conflict do nothing`,
    values: [taken.webhooks],
  })
}

/** Removes keys and what moves with them. Every process of that store rejects them within a second. */
export async function removeKeys(transaction: Queryable, ids: readonly string[]) {
  const remove = (table: string, column: string) =>
    transaction.query({
      name: `stores.remove.${table}`,
      text: `delete from ${table} where ${column} = any($1)`,
      values: [ids],
    })
  await remove('webhooks', 'changed_by')
  await remove('deprecated_calls', 'api_key_id')
  await remove('key_changes', 'key_id')
  await transaction.query({
    name: 'stores.removeKeys',
    text: `
      with gone as (delete from api_keys where id = any($1) returning id)
      select pg_notify('${CHANGES_CHANNEL}', id) from gone`,
    values: [ids],
  })
}

const IDLE_IN_TRANSACTION_SESSION_TIMEOUT = '25P03'

/** Whether PostgreSQL has ended the transaction of `takeTestKeys`, since no statement followed in time. */
export function hasIdled(error: unknown) {
  return error instanceof Error && sqlStateOf(error.cause) === IDLE_IN_TRANSACTION_SESSION_TIMEOUT
}
