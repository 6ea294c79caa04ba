import { hasFile, programAt } from './checkout.ts'
import { importAgainst } from './import-against.ts'
import { SALES_PER_SECOND } from './measure.ts'
import type { Interval } from './median-interval.ts'
import { OPERATIONS, SELLING } from './operations.ts'
import { startPostgres } from './postgres.ts'
import { ratioInterval } from './ratio-interval.ts'
import { markdownTable, whole } from './report.ts'
import { fillStore, log } from './rig.ts'
import type { Outcome, Scenario } from './scenario.ts'
import { createKey, PROGRAM, startService } from './service.ts'
import { compareInTurns, type Work } from './turns.ts'

const USUAL = ['create', 'get', 'list', 'walk']
const CONNECTIONS = 64
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

/** One operation: this checkout compared with the other version. */
export interface Comparison {
  operation: string
  /** Requests a second over all starts. */
  old: number
  new: number
  /** New to old, of the rates. */
  ratio: Interval
  /** Microseconds of the service's CPU for each request. */
  oldCpu: number
  newCpu: number
  /** New to old, of these. */
  cpuRatio: Interval
}

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
  const works = new Map(operations.map(({ name }) => [name, [] as Work[][]]))
  for (let start = 1; start <= plan.starts; start++) {
    await using started = resources.use(new AsyncDisposableStack())
    const services = await Promise.all(
      stores.map(async ({ databaseUrl, key }, i) => ({
        ...(await startService(databaseUrl, workers, {}, programs[i])),
        key,
      })),
    )
    started.defer(async () => void (await Promise.all(services.map((service) => service[Symbol.asyncDispose]()))))
    // The load on the first begins a little earlier, which is worth some per cent: each is the first in half of the starts.
    const inOrder = <T>(pair: T[]) => (start % 2 === 0 ? pair.toReversed() : pair)
    for (const operation of operations) {
      log(`start ${start} of ${plan.starts}: ${operation.name} …`)
      const load = { connections: CONNECTIONS, pets }
      await compareInTurns(inOrder(services), operation, { ...load, seconds: plan.warmUp })
      const measured = await compareInTurns(inOrder(services), operation, { ...load, seconds: plan.seconds })
      works.get(operation.name)?.push(inOrder(measured))
    }
  }
  const isOlder = await Promise.all(PRICES.map(async ({ migration }) => !(await hasFile(ref, migration))))
  const prices = PRICES.filter((_, i) => isOlder[i])
  const comparisons = Array.from(works, ([operation, rounds]) => comparisonOf(operation, rounds))
  return {
    setting: `${ref} (old) and this checkout (new), \`WORKERS=${workers}\`, ${CONNECTIONS} connections, ${plan.starts} starts`,
    figures: tableOf(comparisons),
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

function comparisonOf(operation: string, rounds: Work[][]): Comparison {
  const total = (index: number, what: keyof Work) =>
    rounds.reduce((sum, works) => sum + (works[index]?.[what] ?? Number.NaN), 0)
  const rate = (work: Work | undefined) => (work ? work.requests / work.seconds : Number.NaN)
  const cpu = (work: Work | undefined) => (work ? work.cpuSeconds / work.requests : Number.NaN)
  return {
    operation,
    old: total(0, 'requests') / total(0, 'seconds'),
    new: total(1, 'requests') / total(1, 'seconds'),
    oldCpu: (total(0, 'cpuSeconds') / total(0, 'requests')) * 1e6,
    newCpu: (total(1, 'cpuSeconds') / total(1, 'requests')) * 1e6,
    ratio: ratioInterval(rounds.map(([older, newer]) => rate(newer) / rate(older))),
    cpuRatio: ratioInterval(rounds.map(([older, newer]) => cpu(newer) / cpu(older))),
  }
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

function tableOf(comparisons: Comparison[]) {
  return markdownTable(
    ['operation', 'old /s', 'new /s', 'new / old', '95 % interval', 'CPU old', 'CPU new', 'new / old', '95 % interval'],
    comparisons.map(({ operation, old, new: newer, oldCpu, newCpu, ratio, cpuRatio }) => [
      operation,
      whole(old),
      whole(newer),
      ...withInterval(ratio),
      `${oldCpu.toFixed(1)} µs`,
      `${newCpu.toFixed(1)} µs`,
      ...withInterval(cpuRatio),
    ]),
  )
}

function withInterval({ median, low, high }: Interval) {
  return [median.toFixed(3), `${low.toFixed(3)} to ${high.toFixed(3)}`]
}
