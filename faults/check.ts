import pg from 'pg'

/** A pet that a client has added: its name, and the id in the response. */
export interface Promised {
  id: bigint
  name: string
}

export interface Verdict {
  /** Acknowledged, and not stored as acknowledged. */
  lost: string[]
  /** Names that more than one pet has. */
  twice: string[]
  /** Ids returned to more than one create, each of which was for its own pet. */
  shared: string[]
}

interface Stored {
  id: string
  name: string
}

/** Compares what was acknowledged with what is stored, by names and ids only. */
export async function compare(databaseUrl: string, label: string, acknowledged: Promised[]): Promise<Verdict> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Stored>('select id::text, name from pets where starts_with(name, $1)', [
      `${label} `,
    ])
    return judge(rows, acknowledged)
  } finally {
    await client.end()
  }
}

export function judge(stored: Stored[], acknowledged: Promised[]): Verdict {
  const nameOf = new Map(stored.map(({ id, name }) => [id, name]))
  return {
    lost: acknowledged.filter(({ id, name }) => nameOf.get(String(id)) !== name).map(({ name }) => name),
    twice: repeated(stored.map(({ name }) => name)),
    shared: repeated(acknowledged.map(({ id }) => String(id))),
  }
}

function repeated(values: string[]) {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Array.from(counts)
    .filter(([, count]) => count > 1)
    .map(([value]) => value)
}
