import pg from 'pg'
import { createPetstore } from '../packages/client/src/index.ts'

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
  /** Stored and not found by their names, or not exactly once; or found and not stored. */
  unfound: string[]
}

export interface Stored {
  id: string
  name: string
}

/** A database, and the service on it. */
export interface Compared {
  databaseUrl: string
  baseUrl: string
  key: string
}

const FOUND_WITHIN_MS = 60_000

/** Compares what was acknowledged with what is stored, and with what a search finds, by names and ids only. */
export async function compare(compared: Compared, label: string, acknowledged: Promised[]): Promise<Verdict> {
  const stored = await readStored(compared, label)
  return judge(stored, acknowledged, await findAll(compared, label))
}

/** For pets that are renamed and deleted too: whether a search finds those that are stored, by the names that they have. */
export async function unfoundOf(compared: Compared, label: string) {
  return judge(await readStored(compared, label), [], await findAll(compared, label)).unfound
}

async function readStored({ databaseUrl }: Compared, label: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Stored>('select id::text, name from pets where starts_with(name, $1)', [
      `${label} `,
    ])
    return rows
  } finally {
    await client.end()
  }
}

/** One walk through all pets whose names have the words of the label, as a client does it. */
async function findAll({ baseUrl, key }: Compared, label: string): Promise<Stored[]> {
  const { pets } = createPetstore({ baseUrl, key, retries: Number.POSITIVE_INFINITY, timeoutMs: FOUND_WITHIN_MS })
  const found: Stored[] = []
  for await (const { id, name } of pets.list({ name: label })) found.push({ id: String(id), name })
  return found.filter(({ name }) => name.startsWith(`${label} `))
}

export function judge(stored: Stored[], acknowledged: Promised[], found = stored): Verdict {
  const nameOf = new Map(stored.map(({ id, name }) => [id, name]))
  return {
    lost: acknowledged.filter(({ id, name }) => nameOf.get(String(id)) !== name).map(({ name }) => name),
    twice: repeated(stored.map(({ name }) => name)),
    shared: repeated(acknowledged.map(({ id }) => String(id))),
    unfound: differences(stored, found),
  }
}

function differences(stored: Stored[], found: Stored[]) {
  const entries = found.map(entryOf)
  const wrong = new Set(stored.map(entryOf)).symmetricDifference(new Set(entries))
  return [...wrong, ...repeated(entries)]
}

function entryOf({ id, name }: Stored) {
  return `${id} ${name}`
}

function repeated(values: string[]) {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Array.from(counts)
    .filter(([, count]) => count > 1)
    .map(([value]) => value)
}
