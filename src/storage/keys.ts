import type { KeyMode } from '../lib/key-format.ts'
import type { Queryable, Writable } from './statement.ts'

export interface KeyRow {
  id: string
  name: string
  mode: KeyMode
  scopes: string[]
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
}

export type NewKeyRow = Pick<KeyRow, 'id' | 'name' | 'mode' | 'scopes' | 'expiresAt'> & { hash: string }

/** Where a process listens to hear which key has changed. */
export const CHANGES_CHANNEL = 'api_keys_changed'

const COLUMNS = `id, name, mode, scopes, created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt", last_used_at as "lastUsedAt"`

export async function insert(db: Writable, key: NewKeyRow): Promise<KeyRow> {
  const [row] = await db.writeOnce<KeyRow>({
    name: 'keys.insert',
    text: `insert into api_keys (id, name, mode, hash, scopes, expires_at) values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
    values: [key.id, key.name, key.mode, key.hash, key.scopes, key.expiresAt],
  })
  if (!row) throw new Error('keys.insert returned no row')
  return row
}

export async function findByHash(db: Queryable, hash: string): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>({
    name: 'keys.findByHash',
    text: `select ${COLUMNS} from api_keys where hash = $1`,
    values: [hash],
  })
  return row
}

export async function list(db: Queryable): Promise<KeyRow[]> {
  return db.query<KeyRow>({
    name: 'keys.list',
    text: `select ${COLUMNS} from api_keys order by created_at, id`,
  })
}

/** Revokes the key and tells every process. A key that is revoked already keeps its first date. */
export async function revoke(db: Queryable, id: string): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>({
    name: 'keys.revoke',
    text: `
      with revoked as (
        update api_keys set revoked_at = coalesce(revoked_at, now()) where id = $1 returning ${COLUMNS})
      select revoked.* from revoked, pg_notify('${CHANGES_CHANNEL}', revoked.id)`,
    values: [id],
  })
  return row
}

/** At most once a minute for each key, however many processes ask. */
export async function touch(db: Queryable, id: string): Promise<void> {
  await db.query({
    name: 'keys.touch',
    text: `
      update api_keys set last_used_at = now()
      where id = $1 and (last_used_at is null or last_used_at <= now() - interval '1 minute')`,
    values: [id],
  })
}
