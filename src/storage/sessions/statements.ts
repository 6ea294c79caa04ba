import { SESSION_TIMES } from '../../lib/times.ts'
import type { Queryable, Writable } from '../postgres/statement.ts'

export interface SessionRow {
  keyId: string
  endsAt: Date
  /** Its time is over, or it was idle for too long. */
  hasEnded: boolean
  /** Its last use was recorded long enough ago to record another. */
  isDue: boolean
}

// More than people who share one key need.
const MAX_OPEN = 100
// Including those that have ended: a key must not be able to fill the disk with sessions.
const MAX_KEPT = 1_000

// Only the clock of the database counts: those of processes may differ.
const IS_OPEN = `ends_at > now() and last_seen_at > now() - interval '${SESSION_TIMES.idleMinutes} minutes'`
const IS_DUE = `last_seen_at <= now() - interval '1 minute'`

/**
 * Not sent again: a person who does not know whether it worked signs in again. Beyond `MAX_OPEN`, the oldest end. Ended sessions stay, as
 * idle ones do: their browsers still send them, and must not look like browsers that guess.
 */
export async function insert(db: Writable, hash: string, keyId: string, previous: string | undefined): Promise<Date> {
  const [row] = await db.writeOnce<{ endsAt: Date }>({
    name: 'sessions.insert',
    text: `
      with ended as (
        update console_sessions set last_seen_at = '-infinity' where token_sha256 = any (array(
          select token_sha256 from console_sessions where key_id = $2 and ${IS_OPEN}
          order by created_at desc offset ${MAX_OPEN - 1} limit ${MAX_KEPT - MAX_OPEN}))),
      gone as (
        delete from console_sessions where token_sha256 = any (
          array(
            select token_sha256 from console_sessions where key_id = $2 order by created_at desc offset ${MAX_KEPT - 1})
          || decode($3, 'hex')))
      insert into console_sessions (token_sha256, key_id, ends_at)
      values (decode($1, 'hex'), $2, now() + interval '${SESSION_TIMES.hours} hours') returning ends_at as "endsAt"`,
    values: [hash, keyId, previous],
  })
  if (!row) throw new Error('sessions.insert returned no row')
  return row.endsAt
}

/** For each hash its session, if there is one. */
export async function findAll(
  db: Queryable,
  hashes: readonly string[],
  deadline?: number,
): Promise<(SessionRow | undefined)[]> {
  const rows = await db.query<SessionRow & { hash: string }>(
    {
      name: 'sessions.findAll',
      text: `
        select encode(token_sha256, 'hex') as hash, key_id as "keyId", ends_at as "endsAt",
          not (${IS_OPEN}) as "hasEnded", ${IS_DUE} as "isDue"
        from console_sessions where token_sha256 = any (array(select decode(text, 'hex') from unnest($1::text[]) as text))`,
      values: [hashes],
    },
    deadline,
  )
  const byHash = new Map(rows.map(({ hash, ...row }) => [hash, row]))
  return hashes.map((hash) => byHash.get(hash))
}

export interface OpenSession {
  keyId: string
  keyName: string
  createdAt: Date
  lastSeenAt: Date
  endsAt: Date
}

const KEY_WORKS = 'revoked_at is null and (expires_at is null or expires_at > now())'

/** The sessions that can be used, the oldest first. */
export async function listOpen(db: Queryable): Promise<OpenSession[]> {
  return db.query<OpenSession & Record<string, unknown>>({
    name: 'sessions.listOpen',
    text: `
      select key_id as "keyId", name as "keyName", console_sessions.created_at as "createdAt",
             last_seen_at as "lastSeenAt", ends_at as "endsAt"
      from console_sessions join api_keys on api_keys.id = key_id
      where ${IS_OPEN} and ${KEY_WORKS} order by console_sessions.created_at, key_id`,
  })
}

/** Ends the sessions of this key, or of all keys. The rows stay, as those of idle ones do. Returns how many could be used. */
export async function endAll(db: Writable, keyId: string | undefined): Promise<number> {
  const [row] = await db.write<{ ended: number }>({
    name: 'sessions.endAll',
    text: `
      with ended as (
        update console_sessions set last_seen_at = '-infinity'
        where ${IS_OPEN} and key_id = coalesce($1, key_id) returning key_id)
      select count(*)::int as ended from ended join api_keys on api_keys.id = key_id where ${KEY_WORKS}`,
    values: [keyId],
  })
  return row?.ended ?? 0
}

/** Records that sessions are in use, at most once a minute for each, over all processes. One that has ended stays ended. */
export async function touch(db: Writable, hashes: readonly string[], deadline?: number): Promise<void> {
  await db.write(
    {
      name: 'sessions.touch',
      text: `
        with due as (
          select token_sha256 from console_sessions
          where token_sha256 = any (array(select decode(text, 'hex') from unnest($1::text[]) as text))
            and ${IS_DUE} and ${IS_OPEN}
          for no key update skip locked)
        update console_sessions set last_seen_at = now() from due
        where console_sessions.token_sha256 = due.token_sha256`,
      values: [hashes],
    },
    deadline,
  )
}

export async function end(db: Writable, hash: string): Promise<void> {
  await db.write({
    name: 'sessions.end',
    text: `delete from console_sessions where token_sha256 = decode($1, 'hex')`,
    values: [hash],
  })
}
