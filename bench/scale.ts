import { type Load, measureBare, measureService } from './measure.ts'
import { create, createOnce, find, findLetter, OPERATIONS, type Operation } from './operations.ts'
import { requireRoom, startPostgres, weighPets } from './postgres.ts'
import { fillStore, log, type Rig } from './rig.ts'
import { scalePlot } from './scale-plot.ts'
import {
  type Cell,
  growthTable,
  latencyTable,
  overgrowth,
  type StoreSize,
  sizeName,
  storeTable,
} from './scale-report.ts'
import type { Scenario } from './scenario.ts'
import { startService } from './service.ts'

interface Plan {
  sizes: number[]
  rounds: number
  seconds: number
  /** How many times as long p50 may be in the largest store as in the smallest. */
  mostGrowth: number
}

const FULL: Plan = { sizes: [1e4, 1e6, 1e7, 1e8], rounds: 5, seconds: 3, mostGrowth: 1.5 }
// Wide, since it is run on machines that are busy with other things too.
const QUICK: Plan = { sizes: [1e4, 1e6], rounds: 1, seconds: 1, mostGrowth: 2.5 }
// Few: this measures how long a request takes, not how many can wait.
const CONNECTIONS = 8
// Creates make a small store a larger one: they come after all the reads, and are kept short.
const CREATE_SECONDS = 1
const READS = [...OPERATIONS.filter((operation) => operation !== create && operation !== createOnce), find, findLetter]
const PHASES = [READS, [create]]

type Store = Rig & StoreSize

/** Whether a request takes longer the more pets there are. */
export const scale: Scenario = async (resources, { quick, workers }) => {
  const plan = quick ? QUICK : FULL
  await requireRoom(plan.sizes.reduce((sum, pets) => sum + pets, 0))
  const stores = await setUpStores(resources, plan.sizes, workers)
  const cells = await measureAll(stores, plan)
  const grown = await Promise.all(stores.map(({ databaseUrl }) => weighPets(databaseUrl)))
  const sizes = stores.map(({ pets, bytes, loadSeconds }, i) => ({
    pets,
    bytes,
    loadSeconds,
    created: (grown[i]?.pets ?? Number.NaN) - pets,
  }))
  return {
    setting: `\`WORKERS=${workers}\`, ${CONNECTIONS} connections, medians of ${plan.rounds} rounds of ${plan.seconds} s (create: ${CREATE_SECONDS} s)`,
    figures: [growthTable(cells), latencyTable(cells), storeTable(sizes)].join('\n\n'),
    data: { cells, sizes },
    plot: scalePlot(cells, `Milliseconds of a request (p50) by the number of pets, ${CONNECTIONS} connections`),
    missed: overgrowth(cells, plan.mostGrowth),
  }
}

/** All on one PostgreSQL, each with a service of its own, which costs next to nothing while it is idle. */
async function setUpStores(resources: AsyncDisposableStack, sizes: number[], workers: number) {
  log('starting PostgreSQL …')
  const postgres = await startPostgres(resources)
  const stores: Store[] = []
  for (const size of sizes) {
    const store = await fillStore(postgres, `pets_${size}`, size)
    const { pets, bytes, wordBytes } = await weighPets(store.databaseUrl)
    const service = resources.use(await startService(store.databaseUrl, workers))
    stores.push({ ...store, service, pets, bytes: bytes + wordBytes })
  }
  return stores
}

/** The stores take turns, and in each the service and bare, so that other load on the machine affects all of them. */
async function measureAll(stores: Store[], { rounds, seconds }: Plan): Promise<Cell[]> {
  const cells: Cell[] = []
  for (const operations of PHASES) {
    const phase = operations.flatMap((operation) =>
      stores.map((store) => ({ operation, store, cell: emptyCell(operation, store) })),
    )
    for (let round = 1; round <= rounds; round++) {
      for (const { operation, store, cell } of phase) {
        log(`round ${round} of ${rounds}: ${operation.name} at ${sizeName(store.pets)} …`)
        const load = {
          connections: CONNECTIONS,
          seconds: operation === create ? CREATE_SECONDS : seconds,
          pets: store.pets,
        }
        await measureBoth(store, operation, load, cell, round % 2 === 0)
      }
    }
    cells.push(...phase.map(({ cell }) => cell))
  }
  return cells
}

/** The second one finds what the first has left: pages in memory, pets that were added. */
async function measureBoth(store: Store, operation: Operation, load: Load, cell: Cell, serviceFirst: boolean) {
  const measures = {
    bare: () => measureBare(store.databaseUrl, operation, load),
    service: () => measureService(store.service.url, store.key, operation, load),
  }
  for (const side of serviceFirst ? (['service', 'bare'] as const) : (['bare', 'service'] as const))
    cell[side].push(await measures[side]())
}

function emptyCell({ name }: Operation, { pets }: Store): Cell {
  return { operation: name, pets, service: [], bare: [] }
}
