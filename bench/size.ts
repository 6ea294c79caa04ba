import { query, weighPets } from './postgres.ts'
import { markdownTable, whole } from './report.ts'
import { log, setUpStore } from './rig.ts'
import type { Scenario } from './scenario.ts'

// In parts, with room between them that the next one can use, as autovacuum makes it.
const PARTS = 10
/** What is empty unless words are still to be made or removed. */
const MAKING = ['stale_names', 'word_ranges']

/** What a pet and its words take on disk: loaded at once, and after each pet was changed. */
export const size: Scenario = async (resources, { quick }) => {
  const pets = quick ? 200_000 : 1_000_000
  const { databaseUrl } = await setUpStore(resources, pets)
  const loaded = await weigh(databaseUrl)
  log('changing each pet …')
  for (let part = 0; part < PARTS; part++) {
    await query(
      databaseUrl,
      `update pets set status = 'sold', category_id = (category_id * 7919) % 1000, version = version + 1 where id % ${PARTS} = ${part}`,
    )
    await query(databaseUrl, 'vacuum pets')
  }
  const changed = await weigh(databaseUrl)
  const rows = Object.entries({ 'loaded at once': loaded, 'each changed once': changed }).map(([name, store]) => [
    name,
    whole(store.pets),
    ...[store.bytes, store.wordBytes, store.bytes + store.wordBytes].map((bytes) => whole(bytes / store.pets)),
    `${whole((store.bytes + store.wordBytes) / 1e6)} MB`,
  ])
  const making = changed.making.map(({ table, bytes }) => `\`${table}\` takes ${whole(bytes / 1e6)} MB besides.`)
  return {
    setting: 'names of about ten letters and two words, indexes included',
    figures: [
      markdownTable(['pets', 'counted', 'bytes of each', 'of its words', 'together', 'on disk'], rows),
      ...making,
    ].join('\n\n'),
    data: { loaded, changed },
    missed: await unworded(databaseUrl),
  }
}

async function weigh(databaseUrl: string) {
  const weights = await Promise.all(
    MAKING.map(async (table) => {
      const { rows } = await query<{ rows: number; bytes: number }>(
        databaseUrl,
        `select count(*)::float8 as rows, pg_total_relation_size('${table}')::float8 as bytes from ${table}`,
      )
      return { table, rows: rows[0]?.rows ?? 0, bytes: rows[0]?.bytes ?? 0 }
    }),
  )
  return { ...(await weighPets(databaseUrl)), making: weights.filter(({ rows }) => rows > 0) }
}

/** Words that are missing would weigh nothing. */
async function unworded(databaseUrl: string) {
  const { rows } = await query<{ pets: number; words: number }>(
    databaseUrl,
    'select (select count(*)::float8 from pets) as pets, (select count(*)::float8 from pet_words) as words',
  )
  const { pets = 0, words = 0 } = rows[0] ?? {}
  return pets > 0 && words === 2 * pets ? [] : [`${whole(pets)} pets have ${whole(words)} words, not two each`]
}
