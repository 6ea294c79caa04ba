import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { writeImportFiles } from './import-files.ts'
import { median } from './measure.ts'
import { createDatabase, startPostgres } from './postgres.ts'
import { markdownTable, whole } from './report.ts'
import { log } from './rig.ts'
import type { Scenario } from './scenario.ts'
import { PROGRAM, petstore, spawnPetstore } from './service.ts'

const ROUNDS = 3
const KILL_AT = [0.25, 0.5]
const COPY_PIECE_BYTES = 1_048_576

interface Round {
  /** Pets a second of the whole process, from its start to its end. */
  imported: number
  /** The same of a bare COPY of the good ones into the same table. */
  copied: number
}

/** How fast `petstore import` is compared with a bare COPY, and whether it loses or duplicates pets when it is killed. */
export const importScenario: Scenario = async (resources, { quick }) => {
  const [lines, leastRatio] = quick ? [200_000, 0.4] : [1_000_000, 0.6]
  log('starting PostgreSQL …')
  const databaseUrl = await createDatabase((await startPostgres(resources)).url, 'petstore')
  await petstore(databaseUrl, ['migrate'])
  const client = new pg.Client(databaseUrl)
  await client.connect()
  resources.defer(() => client.end())
  log(`writing ${whole(lines)} lines …`)
  const files = await writeImportFiles(resources, lines)

  const rounds: Round[] = []
  for (let i = 1; i <= ROUNDS; i++) {
    await clear(client)
    const importSeconds = await secondsOf(async () => {
      const rejected = await importAll(databaseUrl, files.lines)
      assert.equal(rejected, lines - files.good, 'each bad line is counted once')
    })
    await assertComplete(client, files.good)
    await clear(client)
    const copySeconds = await secondsOf(() => copy(client, files.rows))
    await assertComplete(client, files.good)
    const round = { imported: files.good / importSeconds, copied: files.good / copySeconds }
    log(`round ${i} of ${ROUNDS}: import ${whole(round.imported)} pets/s, COPY ${whole(round.copied)} pets/s`)
    rounds.push(round)
  }

  await clear(client)
  const killedAt: number[] = []
  for (const share of KILL_AT) killedAt.push(await killAfter(client, databaseUrl, files.lines, share * files.good))
  const kills = killedAt.map(whole).join(' and ')
  log(`killed at ${kills} pets; running it again …`)
  await importAll(databaseUrl, files.lines)
  await assertComplete(client, files.good)

  const ratio = median(rounds.map(({ imported, copied }) => imported / copied))
  return {
    setting: `${whole(lines)} lines, of which ${whole(lines - files.good)} bad`,
    figures: `${tableOf(rounds)}

Killed by \`SIGKILL\` at ${kills} pets, then run to its end: ${whole(files.good)} pets, each once.`,
    data: { lines, good: files.good, rounds, ratio, killedAt },
    missed:
      ratio >= leastRatio ? [] : [`import is ${ratio.toFixed(2)} times as fast as a bare COPY, not ${leastRatio}`],
  }
}

/** Imports to the end, and returns how many lines were rejected. */
export async function importAll(databaseUrl: string, lines: string, program = PROGRAM) {
  const child = spawnPetstore(databaseUrl, ['import', lines], program)
  const [output] = await Promise.all([text(child.stderr), once(child, 'close')])
  assert.equal(child.exitCode, 3, `petstore import must end with 3, "some lines were rejected": ${output.slice(-500)}`)
  const [, rejected = ''] = /^The other lines are stored\. Fix only the ([\d,]+) /m.exec(output) ?? []
  return Number(rejected.replaceAll(',', ''))
}

/** Starts an import, kills it once it has stored so many pets, and returns how many there are. */
async function killAfter(client: pg.Client, databaseUrl: string, lines: string, pets: number) {
  const child = spawnPetstore(databaseUrl, ['import', lines])
  const closed = once(child, 'close')
  child.stderr.resume()
  // Polled at the pace of pg_sleep, to leave the processor to the import.
  const question = 'select pg_sleep(0.01), (select added::int from imports) as added'
  const stored = async () => (await client.query<{ added: number | null }>(question)).rows[0]?.added ?? 0
  while (child.exitCode === null && (await stored()) < pets);
  child.kill('SIGKILL')
  await closed
  assert.equal(child.signalCode, 'SIGKILL', 'the import ended before it was killed')
  return (await count(client)).pets
}

async function copy(client: pg.Client, rows: string) {
  const file = createReadStream(rows, { highWaterMark: COPY_PIECE_BYTES })
  await pipeline(file, client.query(copyFrom('copy pets (name, category_id, status) from stdin')))
}

/** Empties the tables, and leaves PostgreSQL nothing to flush. */
export async function clear(client: pg.Client) {
  await client.query('truncate pets, imports')
  await client.query('checkpoint')
}

export async function assertComplete(client: pg.Client, pets: number) {
  assert.deepEqual(await count(client), { pets, different: pets }, 'no pet is lost or stored twice')
}

/** Each line has a category of its own, so duplicates would make more pets than different ones. */
async function count(client: pg.Client) {
  const { rows } = await client.query<{ pets: number; different: number }>(
    'select count(*)::int as pets, count(distinct category_id)::int as different from pets',
  )
  return rows[0] ?? { pets: 0, different: 0 }
}

export async function secondsOf(work: () => Promise<void>) {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}

function tableOf(rounds: Round[]) {
  return markdownTable(
    ['round', '`petstore import`, pets/s', 'COPY, pets/s', 'ratio'],
    rounds.map(({ imported, copied }, i) => [
      String(i + 1),
      whole(imported),
      whole(copied),
      (imported / copied).toFixed(2),
    ]),
  )
}
