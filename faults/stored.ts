import pg from 'pg'

/** How many pets have names of this label, and how many names more than one pet has. */
export async function countStored(databaseUrl: string, label: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ stored: number; names: number }>(
      `select count(*)::int as stored, count(distinct name)::int as names from pets where starts_with(name, $1)`,
      [`${label} `],
    )
    const { stored = 0, names = 0 } = rows[0] ?? {}
    return { stored, twice: stored - names }
  } finally {
    await client.end()
  }
}
