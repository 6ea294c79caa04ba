import pg from 'pg'

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
