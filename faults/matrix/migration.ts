import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { compare } from '../check.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { type Load, startLoad } from '../load.ts'
import { brokenBy, brokenRejections, countsOf } from '../promises.ts'
import { run } from '../rig/site.ts'
import { baseUrlOf, openStore, startServices } from '../store.ts'
import { percentile } from '../under-load.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const [PETS, PETS_QUICK] = [1_000_000, 50_000]
const MAX_WAIT_MS = 500
const PEACE_MS = 2_000

// As migrations/README.md asks for it: first what is quick, in a transaction; then the index, beside all traffic.
const EXTRA: Record<string, string> = {
  '9001_pet_weight.sql': 'alter table pets add column weight bigint;\n',
  '9002_pet_weight_index.sql':
    '-- no transaction\ndrop index concurrently if exists pets_weight;\ncreate index concurrently pets_weight on pets (weight, id);\n',
}

export const migration: Fault = {
  name: 'migration',
  injected: 'petstore migrate adds a column and an index to the pets while pets are added and listed',
  invariant: 'no request fails, none waits longer than 500 ms for a lock; none lost, none twice, all found by name',
  run: migrateUnderLoad,
}

async function migrateUnderLoad(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting PostgreSQL and a process of the service …')
  const { databaseUrl, key } = await openStore(stage, resources)
  const pets = stage.quick ? PETS_QUICK : PETS
  stage.say(`adding ${pets} pets, so that the index takes its time …`)
  const sql = new pg.Client({ connectionString: databaseUrl })
  await sql.connect()
  resources.defer(() => sql.end())
  await sql.query(`insert into pets (name, category_id) select 'Pet ' || n, n from generate_series(1, $1::int) n`, [
    pets,
  ])
  const next = await nextVersion(join(stage.site.directory, 'next-version'))
  const [service] = await startServices(stage, resources, databaseUrl)
  if (!service) throw new Error('No process was started.')

  const label = `migration ${Date.now()}`
  const load = startLoad({ baseUrl: baseUrlOf(service), key, label, keyed: stage.keyed, retries: 0, perSecond: 300 })
  await sleep(PEACE_MS)
  const watching = watchLocks(databaseUrl)
  stage.say('migrating …')
  const begun = performance.now()
  await run('env', `DATABASE_URL=${databaseUrl}`, process.execPath, join(next, 'src/start.js'), 'migrate')
  const seconds = Number(((performance.now() - begun) / 1_000).toFixed(1))
  await sleep(PEACE_MS)
  const longestWaitMs = await watching.end()
  await load.stop()

  const verdict = await compare({ databaseUrl, baseUrl: baseUrlOf(service), key }, label, load.acknowledged)
  const { rows } = await sql.query(
    `select 1 from pg_index where indexrelid = to_regclass('pets_weight') and indisvalid`,
  )
  return {
    times: 1,
    ...countsOf(load, verdict),
    pets,
    seconds,
    longestWaitMs,
    longestGapMs: longestGapOf(load),
    broken: [
      ...brokenBy(verdict),
      ...brokenRejections(load),
      ...load.failed.slice(0, 3).map(({ name, code }) => `"${name}" failed: ${code}`),
      ...(longestWaitMs <= MAX_WAIT_MS
        ? []
        : [`a statement waited ${longestWaitMs} ms for a lock; at most ${MAX_WAIT_MS} ms are allowed`]),
      ...(rows.length === 1 ? [] : ['the index does not exist']),
    ],
  }
}

/** This version with two more migrations, which the program reads from its own directory. */
async function nextVersion(directory: string) {
  await mkdir(directory)
  for (const name of ['src', 'migrations', 'acceptance', 'package.json'])
    await cp(join(ROOT, name), join(directory, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  for (const [name, text] of Object.entries(EXTRA)) await writeFile(join(directory, 'migrations', name), text)
  return directory
}

/** Polls which statements of the service wait for a lock, and since when. */
function watchLocks(databaseUrl: string) {
  const waits: number[] = [0]
  const ending = new AbortController()
  const watch = async () => {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    while (!ending.signal.aborted) {
      const { rows } = await client.query<{ ms: number }>(
        `select (extract(epoch from clock_timestamp() - waitstart) * 1000)::float8 as ms from pg_locks
         join pg_stat_activity using (pid) where not granted and waitstart is not null and query !~* 'index concurrently'`,
      )
      waits.push(...rows.map(({ ms }) => ms))
      await sleep(5)
    }
    await client.end()
  }
  const watched = watch()
  return {
    end: async () => {
      ending.abort()
      await watched
      return percentile(waits, 1)
    },
  }
}

function longestGapOf(load: Load) {
  const [first, last] = [load.acknowledged[0]?.at ?? 0, load.acknowledged.at(-1)?.at ?? 0]
  return Math.round(load.longestGapMs(first, last))
}
