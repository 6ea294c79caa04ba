import { compare, measureFloor, type Plan, type Result } from './compare.ts'
import { throughputPlot } from './plot.ts'
import { throughputTable } from './report.ts'
import { log, setUp } from './rig.ts'
import type { Scenario } from './scenario.ts'
import { QUICK_TARGETS, shortfalls, TARGETS } from './verdict.ts'

const PETS = 1_000_000
const FULL: Plan = {
  operations: ['create', 'create once', 'get', 'list', 'walk'],
  connections: [1, 64, 256],
  rounds: 3,
  warmUpSeconds: 8,
  seconds: 6,
  pets: PETS,
}
const QUICK: Plan = {
  operations: ['create', 'create once', 'get', 'list'],
  connections: [64],
  rounds: 5,
  warmUpSeconds: 3,
  seconds: 2,
  pets: 100_000,
}
const TITLE = 'Requests a second, 64 connections, everything on two shared cores'

/** The service compared with the bare PostgreSQL under it. */
export const throughput: Scenario = async (resources, { quick, workers }) => {
  const plan = quick ? QUICK : FULL
  const rig = await setUp(resources, { pets: plan.pets, workers })
  const results = await compare(rig, plan)
  log('node:http with a constant …')
  const floor = await measureFloor(workers, { connections: 64, seconds: plan.seconds, pets: 1 })
  const at64 = results.filter(({ connections }) => connections === 64)
  return {
    setting: `\`WORKERS=${workers}\``,
    figures: throughputTable(results, floor),
    data: { results, floor },
    plot: throughputPlot(at64, floor, TITLE),
    missed: quick ? shortfalls(results.map(atBest), QUICK_TARGETS) : shortfalls(results, TARGETS),
  }
}

/** The short form fails only if the whole interval of the median is too low: 94 % with its five rounds. */
function atBest(result: Result): Result {
  return { ...result, ratio: result.ratioHigh ?? result.ratio }
}
