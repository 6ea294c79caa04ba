import type { ApiKey } from '../../domain/types/key.ts'
import type { StoreAddress } from '../../lib/ids/store-address.ts'
import type { Queryable, Writable } from '../postgres/statement.ts'

/** The channel that announces which key has changed. */
export const CHANGES_CHANNEL = 'api_keys_changed'

export const COLUMNS = `id, name, mode, scopes, created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaced_by as "replacedBy",
  coalesce(first_id, id) as "firstId", open_orders as "openOrders",
  case when rate_quota is not null
    then json_build_object('quota', rate_quota, 'windowSeconds', rate_window_seconds) end as "rateLimit"`

// A database knows which store it is, and whether its test keys were moved to another: no process can take it for something else.
const IS_OF_STORE = `exists (select 1 from store where address = $2 and (mode = 'live' or not test_keys_elsewhere))`

/** For each hash its key, if this store has one. */
export async function findAllByHash(
  db: Queryable,
  hashes: readonly string[],
  address: StoreAddress,
  deadline?: number,
): Promise<(ApiKey | undefined)[]> {
  const rows = await db.query<ApiKey & { hash: string }>(
    {
      name: 'keys.findAllByHash',
      text: `select hash, ${COLUMNS} from api_keys where hash = any($1) and ${IS_OF_STORE}`,
      values: [hashes, address],
    },
    deadline,
  )
  const byHash = new Map(rows.map(({ hash, ...row }) => [hash, row]))
  return hashes.map((hash) => byHash.get(hash))
}

/** For each id its key, if this store has one. */
export async function findAllById(
  db: Queryable,
  ids: readonly string[],
  address: StoreAddress,
  deadline?: number,
): Promise<(ApiKey | undefined)[]> {
  const rows = await db.query<ApiKey>(
    {
      name: 'keys.findAllById',
      text: `select ${COLUMNS} from api_keys where id = any($1) and ${IS_OF_STORE}`,
      values: [ids, address],
    },
    deadline,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id))
}

export async function findById(db: Queryable, id: string): Promise<ApiKey | undefined> {
  const [row] = await db.query<ApiKey>({
    name: 'keys.findById',
    text: `select ${COLUMNS} from api_keys where id = $1`,
    values: [id],
  })
  return row
}

/** The ids of the keys that have these hashes. */
export async function idsOf(db: Queryable, hashes: readonly string[]): Promise<{ id: string; hash: string }[]> {
  return db.query({
    name: 'keys.idsOf',
    text: 'select id, hash from api_keys where hash = any($1)',
    values: [hashes],
  })
}

export async function list(db: Queryable): Promise<ApiKey[]> {
  return db.query<ApiKey>({
    name: 'keys.list',
    text: `select ${COLUMNS} from api_keys order by created_at, id`,
  })
}

/** Records the last use, at most once a minute for each key of all processes. Skips rows that another process is updating. */
export async function touch(db: Writable, ids: readonly string[], deadline?: number): Promise<void> {
  await db.write(
    {
      name: 'keys.touch',
      text: `
        with due as (
          select id from api_keys
          where id = any($1) and (last_used_at is null or last_used_at <= now() - interval '1 minute')
          for no key update skip locked)
        update api_keys set last_used_at = now() from due where api_keys.id = due.id`,
      values: [ids],
    },
    deadline,
  )
}
