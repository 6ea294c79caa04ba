import pg from 'pg'
import { connectionSettings } from './connection.ts'

// As long for each step: a server that is silent must not hide for long that another has taken its place.
const PATIENCE_MS = 1_000

/** The server answers, but takes no writes. */
class NotThePrimary extends Error {
  override name = 'NotThePrimary'
}

/** Connects anew, and throws unless a server answers that takes writes. */
export async function probe(url: string) {
  const client = new pg.Client({
    ...connectionSettings(url),
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  })
  client.on('error', () => {}) // whatever breaks fails the statement
  try {
    await client.connect()
    const { rows } = await client.query<{ isReadOnly: boolean }>(
      `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`,
    )
    if (rows[0]?.isReadOnly) throw new NotThePrimary('the server at DATABASE_URL takes no writes')
  } finally {
    client.end().catch(() => {})
  }
}
