import pg from 'pg'

/** A pet that a caller asked for, by its name, and the id that it was answered with. */
export interface Promised {
  id: bigint
  name: string
}

export interface Verdict {
  /** Promised, and not there as promised. */
  lost: string[]
  /** Names that more than one pet has. */
  twice: string[]
  /** Ids that were answered to more than one call, each of which asked for a pet of its own. */
  shared: string[]
}

interface Stored {
  id: string
  name: string
}

/** Compares what was promised with what is stored. It knows nothing of how it came to be: only names and ids. */
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
