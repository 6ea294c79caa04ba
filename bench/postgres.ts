import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { EmbeddedPostgres } from '../src/cli/dev/embedded-postgres.ts'

// As in production: fsync and synchronous_commit stay on. Memory and WAL have room, so that no checkpoint falls into a round.
const SETTINGS = ['shared_buffers=4GB', 'max_wal_size=16GB', 'checkpoint_timeout=30min', 'max_connections=600']

export interface Postgres {
  url: string
  pid: number
}

/** A PostgreSQL for one run of the bench, its data gone with it. */
export async function startPostgres(resources: AsyncDisposableStack): Promise<Postgres> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-bench-'))
  resources.defer(() => rm(directory, { recursive: true }))
  const server = resources.use(await EmbeddedPostgres.start(directory, SETTINGS))
  const [pid = ''] = (await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8')).split('\n')
  await requireDurability(server.url)
  return { url: server.url, pid: Number(pid) }
}

// With two words and all indexes, and what sorting the words takes.
const BYTES_PER_PET = 430
// The WAL of the loading, until a checkpoint removes it.
const [WAL_PER_PET, MOST_WAL] = [700, 20e9]

/** Before anything is loaded: a full disk would fail other programs too. */
export async function requireRoom(pets: number) {
  const { bavail, bsize } = await statfs(tmpdir())
  const gigabytes = (bytes: number) => `${Math.ceil(bytes / 1e9).toLocaleString('en')} GB`
  const [free, needed] = [bavail * bsize, pets * BYTES_PER_PET + Math.min(pets * WAL_PER_PET, MOST_WAL)]
  if (free < needed)
    throw new Error(
      `${pets.toLocaleString('en')} pets need about ${gigabytes(needed)} in ${tmpdir()}, where ${gigabytes(free)} are free; set TMPDIR to a directory with more room.`,
    )
}

/** A ratio to a database that may lose commits would be worthless. */
async function requireDurability(url: string) {
  const { rows } = await query<{ name: string; setting: string }>(
    url,
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes')`,
  )
  const off = rows.filter(({ setting }) => setting !== 'on')
  if (rows.length !== 3 || off.length > 0) throw new Error(`not durable: ${JSON.stringify(off)}`)
}

export async function createDatabase(serverUrl: string, name: string) {
  await query(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

const MILLION = 1_000_000

/**
 * Adds pets until there are `count`, of which half are available, and reports its progress; with their words, unless the database is of a
 * version without.
 */
export async function loadPets(url: string, count: number, onProgress: (loaded: number) => void) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('set synchronous_commit = off')
    const { rows } = await client.query<{ count: string; hasWords: boolean }>(
      `select count(*), to_regclass('pet_words') is not null as "hasWords" from pets`,
    )
    const hasWords = rows[0]?.hasWords === true
    // Without `worded`, a service would read all of them while it is measured.
    const [column, value] = hasWords ? [', worded', ', true'] : ['', '']
    for (let loaded = Number(rows[0]?.count); loaded < count; ) {
      const step = Math.min(MILLION, count - loaded)
      await client.query(
        `insert into pets (name, category_id, status${column})
         select 'Pet ' || n, n % 1000, (array['available', 'pending', 'available', 'sold'])[1 + n % 4]${value}
         from generate_series($1::bigint, $2::bigint) n`,
        [loaded + 1, loaded + step],
      )
      loaded += step
      onProgress(loaded)
    }
    // As autovacuum would leave it, and nothing of the loading left to write while something is measured.
    await client.query('vacuum (analyze) pets')
    if (hasWords) await loadWords(url)
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

/** Adds the words of all pets, whose names are letters, digits and spaces. In one go, which is several times as fast as pet by pet. */
export async function loadWords(url: string) {
  await query(
    url,
    `set synchronous_commit = off;
     set maintenance_work_mem = '1GB';
     alter table pet_words drop constraint pet_words_pkey;
     truncate pet_words;
     insert into pet_words (word, pet_id)
     select word, id from pets, unnest(string_to_array(lower(name), ' ')) as word;
     alter table pet_words add primary key (word, pet_id)`,
  )
  for (const command of ['vacuum (analyze) pet_words', 'checkpoint']) await query(url, command)
}

/** How many pets there really are, and the bytes that they take on disk, with their indexes and their words. */
export async function weighPets(url: string) {
  const { rows } = await query<{ pets: number; bytes: number; wordBytes: number }>(
    url,
    `select count(*)::float8 as pets, pg_total_relation_size('pets')::float8 as bytes,
            pg_total_relation_size('pet_words')::float8 as "wordBytes" from pets`,
  )
  return rows[0] ?? { pets: 0, bytes: 0, wordBytes: 0 }
}

/** One statement, on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(url: string, sql: string) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await client.query<Row>(sql)
  } finally {
    await client.end()
  }
}
