import pg from 'pg'
import { until } from './rig/until.ts'

const DISCONNECTED_WITHIN_MS = 20_000

/** How many pets have names of this label, and how many names more than one pet has. */
export async function countStored(databaseUrl: string, label: string) {
  const [row] = await query<{ stored: number; names: number }>(
    databaseUrl,
    `select count(*)::int as stored, count(distinct name)::int as names from pets where starts_with(name, $1)`,
    [`${label} `],
  )
  const { stored = 0, names = 0 } = row ?? {}
  return { stored, twice: stored - names }
}

/** On a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(databaseUrl: string, text: string, values?: unknown[]) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Row>(text, values)
    return rows
  } finally {
    await client.end()
  }
}

/** The events of pets whose names begin with the label, as `eventKey` writes them, in any order. */
export async function storedEvents(databaseUrl: string, label: string) {
  const rows = await query<{ key: string }>(
    databaseUrl,
    `select pet_id || ' ' || version as key from events where starts_with(name, $1)`,
    [`${label} `],
  )
  return rows.map(({ key }) => key)
}

/** The same database, whose connections by this URL have a name. */
export function named(databaseUrl: string, name: string) {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', name)
  return url.href
}

/** When PostgreSQL has ended the connections of a process that was killed, it has done what that process had sent. */
export async function untilDisconnected(databaseUrl: string, name: string) {
  const text = 'select from pg_stat_activity where application_name = $1 limit 1'
  await until('the connections of the process have ended', DISCONNECTED_WITHIN_MS, async () => {
    return (await query(databaseUrl, text, [name])).length === 0
  })
}
