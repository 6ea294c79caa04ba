import { hasFile, programAt } from './checkout.ts'
import { importAgainst } from './import-against.ts'
import { SALES_PER_SECOND } from './measure.ts'
import { OPERATIONS, SELLING } from './operations.ts'
import { CONNECTIONS, type Comparison, comparePair, comparisonTable } from './pair.ts'
import { startPostgres } from './postgres.ts'
import { fillStore, log } from './rig.ts'
import type { Outcome, Scenario } from './scenario.ts'
import { createKey, PROGRAM, startService } from './service.ts'

const USUAL = ['create', 'get', 'list', 'walk']
const MIN_RATIO = 0.97
/** What was decided to take longer, as of a migration: how much of the rate of a version without it is kept at least. */
const PRICES = [
  // The words of its name are stored in the statement that adds a pet, so that a search finds it at once.
  { operation: 'create', migration: 'migrations/0023_pet_words.sql', minRatio: 0.87 },
]
// The speed of one program changes by 9 % from one measurement of two seconds to the next, and by 5 % at eight. Fewer starts than six
// have no interval of 95 %.
const QUICK = { starts: 6, warmUp: 1, seconds: 4, pets: 100_000 }
const FULL = { starts: 12, warmUp: 3, seconds: 5, pets: 1_000_000 }

/** Whether this checkout is slower than another version: both at the same time, in turns. */
export const against: Scenario = async (resources, options): Promise<Outcome> => {
  const { quick, workers, ref, operations: named } = options
  if (ref === undefined) throw new Error('Name the version to compare with: npm run bench -- against <git ref>')
  // It is a command, not a request: it can't be measured in turns of a tenth of a second.
  if (named.length === 1 && named[0] === 'import') return await importAgainst(resources, { ...options, ref })
  const plan = quick ? QUICK : FULL
  const operations = operationsOf(named)
  const { starts, warmUp, seconds } = plan
  // Every second pet can be sold, once.
  const toSell = operations.some(({ name }) => name === 'sell') ? 2 * starts * (warmUp + seconds) * SALES_PER_SECOND : 0
  const pets = Math.max(plan.pets, toSell)
  const scopes = operations.some((operation) => SELLING.includes(operation)) ? ['--scope', 'all'] : []
  log(`checking out ${ref} …`)
  const programs = [await programAt(resources, ref), PROGRAM]
  log('starting PostgreSQL …')
  const postgres = await startPostgres(resources)
  const stores = await Promise.all(
    ['old', 'new'].map(async (name, i) => {
      const { databaseUrl } = await fillStore(postgres, name, pets, programs[i])
      return { databaseUrl, key: await createKey(databaseUrl, programs[i], ...scopes) }
    }),
  )
  const startBoth = () =>
    Promise.all(stores.map(({ databaseUrl }, i) => startService(databaseUrl, workers, {}, programs[i])))
  const keys = stores.map(({ key }) => key)
  const trials = operations.map((operation) => ({ name: operation.name, operation, keys }))
  const comparisons = await comparePair(resources, startBoth, trials, { ...plan, pets })
  const isOlder = await Promise.all(PRICES.map(async ({ migration }) => !(await hasFile(ref, migration))))
  const prices = PRICES.filter((_, i) => isOlder[i])
  return {
    setting: `${ref} (old) and this checkout (new), \`WORKERS=${workers}\`, ${CONNECTIONS} connections, ${plan.starts} starts`,
    figures: comparisonTable(comparisons),
    data: comparisons,
    missed: slower(comparisons, ref, prices),
  }
}

/** Those that are named, or the usual ones. */
function operationsOf(named: string[]) {
  const all = [...OPERATIONS, ...SELLING]
  const names = all.map(({ name }) => name)
  const unknown = named.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new Error(`There is no operation ${unknown}; there are: ${names.join(', ')}, and import by itself`)
  return all.filter(({ name }) => (named.length > 0 ? named : USUAL).includes(name))
}

/** What is slower for certain: the whole interval is below the least ratio. */
export function slower(
  comparisons: Comparison[],
  ref: string,
  prices: Pick<(typeof PRICES)[number], 'operation' | 'minRatio'>[] = [],
) {
  return comparisons.flatMap(({ operation, ratio: { median, low, high } }) => {
    const minRatio = prices.find((price) => price.operation === operation)?.minRatio ?? MIN_RATIO
    return high >= minRatio
      ? []
      : `${operation} is slower than at ${ref}: ${median.toFixed(3)} times its rate (${low.toFixed(3)} to ${high.toFixed(3)}), not ${minRatio}`
  })
}
