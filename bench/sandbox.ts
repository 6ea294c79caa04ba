import { setTimeout as sleep } from 'node:timers/promises'
import { OPERATIONS } from './operations.ts'
import { CONNECTIONS, type Comparison, comparePair, comparisonTable, type PairPlan } from './pair.ts'
import { createDatabase, loadPets, query, startPostgres } from './postgres.ts'
import { cpuSeconds } from './processes.ts'
import { markdownTable, whole } from './report.ts'
import { fillStore, log } from './rig.ts'
import type { Scenario } from './scenario.ts'
import { createKey, PROGRAM, petstore, startService } from './service.ts'

const MEASURED = ['create', 'get', 'list']
// What a process does once, soon after its start, is no cost of an idle one.
const SETTLE_SECONDS = 2

interface Plan extends PairPlan {
  idleSeconds: number
  /** How much of the rate, and of the requests for the same CPU, must remain. */
  leastKept: number
}

const FULL: Plan = { starts: 12, warmUp: 3, seconds: 5, pets: 1_000_000, idleSeconds: 60, leastKept: 0.97 }
/** Wide: in a second one stall of the machine outweighs the cost that is measured. */
const QUICK: Plan = { starts: 2, warmUp: 1, seconds: 1, pets: 100_000, idleSeconds: 2, leastKept: 0.6 }

/** What a sandbox costs requests of the live store: two services that differ in nothing else, in turns. */
export const sandbox: Scenario = async (resources, { quick, workers }) => {
  const plan = quick ? QUICK : FULL
  log('starting PostgreSQL …')
  const postgres = await startPostgres(resources)
  const without = await fillStore(postgres, 'without', plan.pets)
  const live = await fillStore(postgres, 'live', plan.pets)
  const testKey = await createKey(live.databaseUrl, PROGRAM, '--test')
  const sandboxUrl = await createDatabase(postgres.url, 'sandbox')
  const configured = { SANDBOX_DATABASE_URL: sandboxUrl }
  await petstore(live.databaseUrl, ['sandbox', 'create'], PROGRAM, configured)
  // Its ids begin later than those of a live store: both get the same requests.
  await query(sandboxUrl, `select setval('pets_id_seq', 1, false)`)
  log('loading the sandbox …')
  await loadPets(sandboxUrl, plan.pets, () => {})

  const start = {
    without: (processes: number) => startService(without.databaseUrl, processes),
    with: (processes: number) => startService(live.databaseUrl, processes, configured),
  }
  const idle = []
  for (const service of [start.without, start.with]) {
    log('measuring an idle process …')
    idle.push(await idleCpu(() => service(1), postgres.pid, plan.idleSeconds))
  }
  const operations = OPERATIONS.filter(({ name }) => MEASURED.includes(name))
  const trialsOf = (suffix: string, key: string) =>
    operations.map((operation) => ({ name: operation.name + suffix, operation, keys: [without.key, key] }))
  const ofLive = trialsOf('', live.key)
  const startBoth = () => Promise.all([start.without(workers), start.with(workers)])
  const comparisons = await comparePair(resources, startBoth, [...ofLive, ...trialsOf(', test key', testKey)], plan)
  return {
    setting: `\`WORKERS=${workers}\`, ${CONNECTIONS} connections, ${whole(plan.pets)} pets in each store, ${plan.starts} starts`,
    figures: [comparisonTable(comparisons, 'without', 'with'), idleTable(idle)].join('\n\n'),
    data: { comparisons, idle },
    missed: costly(comparisons.slice(0, ofLive.length), plan.leastKept),
  }
}

/** Per cent of a core. */
interface IdleCpu {
  node: number
  postgres: number
}

async function idleCpu(
  startIdle: () => ReturnType<typeof startService>,
  postgresPid: number,
  seconds: number,
): Promise<IdleCpu> {
  await using service = await startIdle()
  await sleep(SETTLE_SECONDS * 1_000)
  const before = [cpuSeconds(service.pid), cpuSeconds(postgresPid)] as const
  await sleep(seconds * 1_000)
  return {
    node: (100 * (cpuSeconds(service.pid) - before[0])) / seconds,
    postgres: (100 * (cpuSeconds(postgresPid) - before[1])) / seconds,
  }
}

function idleTable(idle: IdleCpu[]) {
  return markdownTable(
    ['idle stores in a process', 'CPU of Node', 'CPU of PostgreSQL'],
    idle.map(({ node, postgres }, i) => [`${i + 1}`, `${node.toFixed(1)} %`, `${postgres.toFixed(1)} %`]),
  )
}

/** What costs more for certain: the whole interval is below what must remain. */
export function costly(comparisons: Comparison[], leastKept: number) {
  return comparisons.flatMap(({ operation, ratio, cpuRatio }) => [
    ...(ratio.high >= leastKept
      ? []
      : [`${operation} keeps ${ratio.median.toFixed(3)} of its rate with a sandbox, not ${leastKept}`]),
    ...(1 / cpuRatio.low >= leastKept
      ? []
      : [
          `${operation} takes ${cpuRatio.median.toFixed(3)} times the CPU with a sandbox, not ${(1 / leastKept).toFixed(3)}`,
        ]),
  ])
}
