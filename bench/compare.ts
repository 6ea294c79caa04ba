import { fork } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../src/cli/dev/embedded-postgres.ts'
import { type Load, measureBare, measureService, median, medianRate, type Rate } from './measure.ts'
import { medianInterval } from './median-interval.ts'
import { createWithWords, list, OPERATIONS, type Operation, SELLING } from './operations.ts'
import { cpuSeconds } from './processes.ts'
import { log, type Rig } from './rig.ts'

export interface Plan {
  operations: string[]
  connections: number[]
  rounds: number
  warmUpSeconds: number
  seconds: number
  pets: number
}

/** One operation at one number of connections: the medians over all rounds. */
export interface Result {
  operation: string
  connections: number
  bare: Rate
  service: Rate
  /** Service to bare, in the same round; then the median of these. */
  ratio: number
  /** The upper end of the interval of that median. */
  ratioHigh?: number
  /** Microseconds of CPU for each request. */
  cpu: { bareDatabase: number; service: number; database: number }
}

/** Bare and service take turns, so that other load on the machine affects both. */
export async function compare(rig: Rig, plan: Plan): Promise<Result[]> {
  const operations = [...OPERATIONS, ...SELLING, createWithWords].filter(({ name }) => plan.operations.includes(name))
  const cells = plan.connections.flatMap((connections) => operations.map((operation) => ({ connections, operation })))
  const rounds = new Map(cells.map((cell) => [cell, [] as Result[]]))
  // A process that has served for a while is compiled; one that was started just now is not.
  for (const operation of operations) {
    log(`warming up: ${operation.name} …`)
    const load = { connections: 64, seconds: plan.warmUpSeconds, pets: plan.pets }
    await measureService(rig.service.url, rig.key, operation, load)
  }
  for (let round = 1; round <= plan.rounds; round++) {
    for (const [cell, results] of rounds) {
      const load = { connections: cell.connections, seconds: plan.seconds, pets: plan.pets }
      log(`round ${round} of ${plan.rounds}: ${cell.operation.name}, ${cell.connections} connections …`)
      results.push(await measureBoth(rig, cell.operation, load, round % 2 === 0))
    }
  }
  return [...rounds.values()].map(medianOf)
}

async function measureBoth(rig: Rig, operation: Operation, load: Load, serviceFirst: boolean): Promise<Result> {
  const measures = {
    bare: () => measureBare(rig.databaseUrl, operation, load),
    service: () => measureService(rig.service.url, rig.key, operation, load),
  }
  const taken: Record<string, { rate: Rate; database: number; service: number }> = {}
  for (const name of serviceFirst ? (['service', 'bare'] as const) : (['bare', 'service'] as const)) {
    const [database, service] = [cpuSeconds(rig.postgresPid), cpuSeconds(rig.service.pid)]
    const rate = await measures[name]()
    const perRequest = 1e6 / (rate.perSecond * load.seconds)
    taken[name] = {
      rate,
      database: (cpuSeconds(rig.postgresPid) - database) * perRequest,
      service: (cpuSeconds(rig.service.pid) - service) * perRequest,
    }
  }
  const { bare, service } = taken
  if (!bare || !service) throw new Error('unreachable')
  return {
    operation: operation.name,
    connections: load.connections,
    bare: bare.rate,
    service: service.rate,
    ratio: service.rate.perSecond / bare.rate.perSecond,
    cpu: { bareDatabase: bare.database, service: service.service, database: service.database },
  }
}

/** `node:http` responding with a constant from as many processes: no service on Node can be faster. */
export async function measureFloor(workers: number, load: Load): Promise<Rate> {
  await using resources = new AsyncDisposableStack()
  const port = await freePort()
  for (let i = 0; i < workers; i++) {
    const child = fork(new URL('floor.ts', import.meta.url), { env: { PATH: process.env['PATH'], PORT: String(port) } })
    resources.defer(() => void child.kill())
    await once(child, 'message')
  }
  return await measureService(`http://127.0.0.1:${port}`, 'none', list, load)
}

function medianOf(results: Result[]): Result {
  const [first] = results
  if (!first) throw new Error('no rounds')
  const middle = (of: (result: Result) => number) => median(results.map(of))
  return {
    ...first,
    bare: medianRate(results.map(({ bare }) => bare)),
    service: medianRate(results.map(({ service }) => service)),
    ratio: middle(({ ratio }) => ratio),
    ratioHigh: medianInterval(results.map(({ ratio }) => ratio)).high,
    cpu: {
      bareDatabase: middle(({ cpu }) => cpu.bareDatabase),
      service: middle(({ cpu }) => cpu.service),
      database: middle(({ cpu }) => cpu.database),
    },
  }
}
