import type pg from 'pg'
import { newClient } from './connection.ts'
import { LOCKS } from './locks.ts'

const POLL_MS = 100

interface Session {
  pid: number
  application: string
  address: string | null
  since: Date | null
  query: string | null
}

const COLUMNS = `pid, application_name as application, host(client_addr) as address,
  coalesce(xact_start, backend_start) as since, query`

/** Describes the session that holds the migration lock, as far as this role may see it. */
export async function migrationLockHolder(client: pg.Client) {
  const { rows } = await client.query<Session>(
    `select ${COLUMNS} from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and (classid::bigint << 32) + objid::bigint = $1
       and pg_locks.database = (select oid from pg_database where datname = current_database())`,
    [LOCKS.migrations],
  )
  return rows[0] ? describe(rows[0]) : 'a session that has just ended'
}

/**
 * Reports once which sessions block this one, if it is still blocked after `afterMs`. Uses another connection, since the blocked one waits.
 * If it fails, only the report is missing.
 */
export function watchBlockers(url: string, pid: number, afterMs: number, onBlocked: (holders: string) => void) {
  const ended = new AbortController()
  const timer = setTimeout(() => void look().catch(() => {}), afterMs)
  const look = async () => {
    const client = newClient(url)
    try {
      await client.connect()
      while (!ended.signal.aborted) {
        const { rows } = await client.query<Session>(
          `select ${COLUMNS} from pg_stat_activity where pid = any(pg_blocking_pids($1)) order by since`,
          [pid],
        )
        if (rows.length > 0) return onBlocked(rows.map(describe).join('; '))
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    } finally {
      await client.end()
    }
  }
  return {
    [Symbol.dispose]() {
      clearTimeout(timer)
      ended.abort()
    },
  }
}

/** PostgreSQL hides what a session of another role does, unless this one may read all statistics. */
function describe({ pid, application, address, since, query }: Session) {
  const isHidden = query === null || query === '' || query.startsWith('<insufficient privilege>')
  return [
    `PostgreSQL session ${pid}`,
    ...(application ? [`application ${application}`] : []),
    ...(address ? [`from ${address}`] : []),
    ...(since ? [`since ${since.toISOString()}`] : []),
    ...(isHidden ? [] : [`query: ${withoutValues(query)}`]),
  ].join(', ')
}

const MAX_QUERY = 200
// First strings, also dollar-quoted and escaped ones, but no quoted names; then numbers.
const STRINGS = /\b[eE]'(?:[^'\\]|\\.|'')*'?|'(?:[^']|'')*'?|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)/g
const NUMBERS = /(?<![\w$."])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** The text of a statement in one line, with `?` in place of its values: they may be secrets, or about people. */
export function withoutValues(query: string) {
  const bare = query.replaceAll(STRINGS, '?').replaceAll(NUMBERS, '?').replaceAll(/\s+/g, ' ').trim()
  return bare.length > MAX_QUERY ? `${bare.slice(0, MAX_QUERY)}…` : bare
}
