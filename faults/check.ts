import pg from 'pg'
import type { Acknowledged } from './load.ts'

export interface Verdict {
  /** Promised, and not there as promised. */
  lost: string[]
  /** Names that more than one pet has. */
  twice: string[]
}

interface Stored {
  id: string
  name: string
}

/** Compares what was promised with what is stored. It knows nothing of how it came to be: only names and ids. */
export async function compare(databaseUrl: string, label: string, acknowledged: Acknowledged[]): Promise<Verdict> {
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

export function judge(stored: Stored[], acknowledged: Pick<Acknowledged, 'id' | 'name'>[]): Verdict {
  const nameOf = new Map(stored.map(({ id, name }) => [id, name]))
  const counts = new Map<string, number>()
  for (const { name } of stored) counts.set(name, (counts.get(name) ?? 0) + 1)
  return {
    lost: acknowledged.filter(({ id, name }) => nameOf.get(String(id)) !== name).map(({ name }) => name),
    twice: Array.from(counts)
      .filter(([, count]) => count > 1)
      .map(([name]) => name),
  }
}
