import { type Load, measureService, median, type Rate } from './measure.ts'
import { type Operation, read, upTo } from './operations.ts'
import { createDatabase, loadWords, query, requireRoom, startPostgres } from './postgres.ts'
import { markdownTable } from './report.ts'
import { log } from './rig.ts'
import { sizeName } from './scale-report.ts'
import type { Scenario } from './scenario.ts'
import { createKey, petstore, startService } from './service.ts'

interface Plan {
  sizes: number[]
  rounds: number
  seconds: number
  /** How many times as long p50 may be in the largest store as in the smallest. */
  mostGrowth: number
}

const FULL: Plan = { sizes: [1e4, 1e6, 1e7], rounds: 5, seconds: 3, mostGrowth: 1.5 }
// Wide, since it is run on machines that are busy with other things too.
const QUICK: Plan = { sizes: [1e4, 1e6], rounds: 1, seconds: 2, mostGrowth: 2.5 }
// How long one search takes, not how many are possible.
const CONNECTIONS = 1
const FEW = 5
const THEIR_CATEGORY = 5_000_000

type Search = Pick<Operation, 'name' | 'request'> & { isBounded?: true }

/** A bounded one reads more in a larger store, up to 1,000 words. */
const SEARCHES: Search[] = [
  { name: 'rare word', request: (pets) => read(`/v1/pets?name=u${upTo(pets)}`) },
  { name: 'one letter', request: () => read('/v1/pets?name=a') },
  { name: 'a word that 1 % have', request: () => read('/v1/pets?name=max') },
  { name: 'two words, both frequent', request: () => read(`/v1/pets?name=max%20z${upTo(997)}`), isBounded: true },
  {
    name: `the same, in a category of ${FEW} pets`,
    request: () => read(`/v1/pets?name=max&categoryId=${THEIR_CATEGORY}`),
    isBounded: true,
  },
]

interface Cell {
  search: string
  pets: number
  rounds: Rate[]
}

/** Whether a search by name takes longer the more pets there are. */
export const search: Scenario = async (resources, { quick, workers }) => {
  const { sizes, rounds, seconds, mostGrowth } = quick ? QUICK : FULL
  await requireRoom(2 * sizes.reduce((sum, pets) => sum + pets, 0))
  log('starting PostgreSQL …')
  const postgres = await startPostgres(resources)
  const stores: { pets: number; url: string; key: string }[] = []
  for (const pets of sizes) {
    const databaseUrl = await createDatabase(postgres.url, `pets_${pets}`)
    await petstore(databaseUrl, ['migrate'])
    log(`loading ${pets.toLocaleString('en')} pets and their words …`)
    await loadNames(databaseUrl, pets)
    const service = resources.use(await startService(databaseUrl, workers))
    stores.push({ pets, url: service.url, key: await createKey(databaseUrl) })
  }
  const cells = SEARCHES.flatMap(({ name }) => sizes.map((pets): Cell => ({ search: name, pets, rounds: [] })))
  for (let round = 1; round <= rounds; round++) {
    log(`round ${round} of ${rounds} …`)
    for (const operation of SEARCHES)
      for (const { pets, url, key } of stores) {
        const load: Load = { connections: CONNECTIONS, seconds, pets }
        const rate = await measureService(url, key, operation, load)
        cells.find((cell) => cell.search === operation.name && cell.pets === pets)?.rounds.push(rate)
      }
  }
  return {
    setting: `\`WORKERS=${workers}\`, ${CONNECTIONS} connection, medians of ${rounds} rounds of ${seconds} s`,
    figures: table(cells, sizes),
    data: cells,
    missed: SEARCHES.filter(({ isBounded }) => !isBounded).flatMap(({ name }) => {
      const growth = growthOf(cells.filter((cell) => cell.search === name))
      return growth <= mostGrowth
        ? []
        : `${name} takes ${growth.toFixed(2)} times as long in the largest store, not ${mostGrowth}`
    }),
  }
}

/** One of a hundred pets is called Max; each has a word that 997 share, and one of its own. */
async function loadNames(url: string, pets: number) {
  await query(
    url,
    `insert into pets (name, category_id, status)
     select case when n % 100 = 0 or n > ${pets - FEW} then 'Max' else 'A' || n % 20000 end || ' Z' || n % 997 || ' U' || n,
            case when n > ${pets - FEW} then ${THEIR_CATEGORY} else n % 1000 end,
            (array['available', 'pending', 'available', 'sold'])[1 + n % 4]
     from generate_series(1, ${pets}) as n`,
  )
  await query(url, 'vacuum (analyze) pets')
  await loadWords(url)
}

function growthOf(cells: Cell[]) {
  const [smallest, largest] = [cells.at(0)?.rounds ?? [], cells.at(-1)?.rounds ?? []]
  return median(largest.map(({ p50 }, round) => p50 / (smallest[round]?.p50 ?? Number.NaN)))
}

function table(cells: Cell[], sizes: number[]) {
  return markdownTable(
    ['search', ...sizes.map((pets) => `p50 at ${sizeName(pets)}`), 'largest / smallest'],
    Array.from(
      Map.groupBy(cells, (cell) => cell.search),
      ([name, ofSearch]) => [
        name,
        ...ofSearch.map(({ rounds }) => `${median(rounds.map(({ p50 }) => p50)).toFixed(2)} ms`),
        growthOf(ofSearch).toFixed(2),
      ],
    ),
  )
}
