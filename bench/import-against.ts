import pg from 'pg'
import { programAt } from './checkout.ts'
import { assertComplete, clear, importAll, secondsOf } from './import.ts'
import { writeImportFiles } from './import-files.ts'
import { median } from './measure.ts'
import { createDatabase, startPostgres } from './postgres.ts'
import { markdownTable, whole } from './report.ts'
import { log } from './rig.ts'
import type { Options, Outcome } from './scenario.ts'
import { PROGRAM, petstore } from './service.ts'

const FULL = { lines: 300_000, rounds: 7 }
const QUICK = { lines: 150_000, rounds: 3 }
const MIN_RATIO = 0.8

/** Pets a second of the whole process, from its start to its end. */
interface Round {
  old: number
  new: number
}

/** How fast `petstore import` of this checkout is compared with another version: in turns, each the first in half of the rounds. */
export async function importAgainst(
  resources: AsyncDisposableStack,
  { quick, ref }: Options & { ref: string },
): Promise<Outcome> {
  const { lines, rounds: count } = quick ? QUICK : FULL
  log(`checking out ${ref} …`)
  const programs = { old: await programAt(resources, ref), new: PROGRAM }
  log('starting PostgreSQL …')
  const postgres = await startPostgres(resources)
  const files = await writeImportFiles(resources, lines)
  const open = async (name: 'old' | 'new') => {
    const databaseUrl = await createDatabase(postgres.url, name)
    await petstore(databaseUrl, ['migrate'], programs[name])
    const client = new pg.Client(databaseUrl)
    await client.connect()
    resources.defer(() => client.end())
    const importOnce = async () => {
      await clear(client)
      const seconds = await secondsOf(async () => void (await importAll(databaseUrl, files.lines, programs[name])))
      await assertComplete(client, files.good)
      await clear(client)
      return files.good / seconds
    }
    // The first one finds nothing in the caches of the system.
    await importOnce()
    return importOnce
  }
  const imports = { old: await open('old'), new: await open('new') }
  const rounds: Round[] = []
  for (let number = 1; number <= count; number++) {
    const round: Round = { old: Number.NaN, new: Number.NaN }
    for (const name of number % 2 === 0 ? (['new', 'old'] as const) : (['old', 'new'] as const))
      round[name] = await imports[name]()
    log(`round ${number} of ${count}: ${whole(round.old)} and ${whole(round.new)} pets/s`)
    rounds.push(round)
  }
  const ratio = median(rounds.map((round) => round.new / round.old))
  return {
    setting: `${ref} (old) and this checkout (new), ${whole(lines)} lines, ${count} rounds`,
    figures: markdownTable(
      ['round', 'old, pets/s', 'new, pets/s', 'new / old'],
      rounds.map((round, i) => [String(i + 1), whole(round.old), whole(round.new), (round.new / round.old).toFixed(2)]),
    ),
    data: { rounds, ratio },
    missed: ratio >= MIN_RATIO ? [] : [`import has ${ratio.toFixed(2)} times its rate at ${ref}, not ${MIN_RATIO}`],
  }
}
