import {
  type FlatnessPlan,
  flatnessSetting,
  flatnessTable,
  measureFlatness,
  notFlat,
  type Question,
} from './flatness.ts'
import { read, upTo } from './operations.ts'
import { createDatabase, loadWords, query, requireRoom, startPostgres } from './postgres.ts'
import { whole } from './report.ts'
import { log } from './rig.ts'
import type { Scenario } from './scenario.ts'
import { createKey, petstore, startService } from './service.ts'

const FULL: FlatnessPlan = { sizes: [1e4, 1e6, 1e7], rounds: 5, seconds: 3, mostGrowth: 1.5, mostMs: 50 }
// Wide, since it is run on machines that are busy with other things too.
const QUICK: FlatnessPlan = { sizes: [1e4, 1e5], rounds: 3, seconds: 1, mostGrowth: 2.5, mostMs: 250 }
const FEW = 5
const THEIR_CATEGORY = 5_000_000
const PAGE = 20
const PART = 1_000_000

const SEARCHES: Question[] = [
  { name: 'rare word', request: (pets) => read(`/v1/pets?name=u${upTo(pets)}`), least: 1 },
  { name: 'one letter', request: () => read('/v1/pets?name=a'), least: PAGE },
  { name: 'a word that 1 % have', request: () => read('/v1/pets?name=max'), least: PAGE },
  { name: 'two words that 1 % have', request: () => read('/v1/pets?name=max%20zoe'), least: PAGE },
  {
    name: `a word that 1 % have, in a category of ${FEW} pets`,
    request: () => read(`/v1/pets?name=max&categoryId=${THEIR_CATEGORY}`),
    least: FEW,
  },
  // Ends with an empty page after 1,000 words, of which the smallest store has only a hundred.
  {
    name: 'two frequent words that no pet has',
    request: () => read('/v1/pets?name=max%20a1'),
    least: 0,
    isBounded: true,
  },
]

/** Whether a search by name takes longer the more pets there are. */
export const search: Scenario = async (resources, { quick, workers }) => {
  const plan = quick ? QUICK : FULL
  const { sizes } = plan
  await requireRoom(sizes.reduce((sum, pets) => sum + pets, 0))
  log('starting PostgreSQL …')
  const postgres = await startPostgres(resources)
  const stores: { size: number; url: string; key: string }[] = []
  for (const size of sizes) {
    const databaseUrl = await createDatabase(postgres.url, `pets_${size}`)
    await petstore(databaseUrl, ['migrate'])
    await loadNames(databaseUrl, size)
    const { url } = resources.use(await startService(databaseUrl, workers))
    stores.push({ size, url, key: await createKey(databaseUrl) })
  }
  const cells = await measureFlatness(stores, SEARCHES, plan)
  return {
    setting: flatnessSetting(workers, plan),
    figures: flatnessTable('search', cells, sizes),
    data: cells,
    missed: notFlat(cells, SEARCHES, plan),
  }
}

/**
 * One of a hundred pets is called Max, and one of 75 Zoe; two thirds of those called Max are Max Zoe. Each pet has a word of its own. The
 * words are made at once, which is several times as fast as pet by pet.
 */
async function loadNames(url: string, pets: number) {
  const begun = performance.now()
  for (let loaded = 0; loaded < pets; loaded += PART) {
    const last = Math.min(pets, loaded + PART)
    await query(
      url,
      `set synchronous_commit = off;
       insert into pets (name, category_id, status, worded)
       select case when n % 100 = 0 or n > ${pets - FEW} then 'Max' else 'A' || n % 20000 end
                || case when n % 100 = 0 and n % 300 <> 0 or n % 150 = 7 then ' Zoe' else '' end || ' U' || n,
              case when n > ${pets - FEW} then ${THEIR_CATEGORY} else n % 1000 end,
              (array['available', 'pending', 'available', 'sold'])[1 + n % 4], true
       from generate_series(${loaded + 1}, ${last}) as n`,
    )
    log(`${whole(last)} of ${whole(pets)} pets loaded`)
  }
  await query(url, 'vacuum (analyze) pets')
  log('adding their words …')
  await loadWords(url)
  log(`${whole(pets)} pets and their words: ${whole((performance.now() - begun) / 1_000)} s`)
}
