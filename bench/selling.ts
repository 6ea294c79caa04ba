import { compare, type Plan } from './compare.ts'
import { query } from './postgres.ts'
import { throughputTable } from './report.ts'
import { setUp } from './rig.ts'
import type { Scenario } from './scenario.ts'
import { createKey, PROGRAM } from './service.ts'
import { shortfalls, type Targets } from './verdict.ts'

const PETS = 1_000_000
const FULL: Plan = {
  operations: ['update', 'sell'],
  connections: [64],
  rounds: 6,
  warmUpSeconds: 5,
  seconds: 6,
  pets: PETS,
}
const QUICK: Plan = { ...FULL, rounds: 5, warmUpSeconds: 2, seconds: 2, pets: 300_000 }

const TARGETS: Targets = { ratio: { update: 1.2, sell: 1 }, shareAt256: 0.9, extraMsAt1: 0.4, shareOnce: 0 }
/** Wide, since CI machines have other load. */
const QUICK_TARGETS: Targets = { ...TARGETS, ratio: { update: 0.8, sell: 0.7 } }

/** Changing and selling pets, compared with the statements for one pet on bare PostgreSQL. */
export const selling: Scenario = async (resources, { quick, workers }) => {
  const plan = quick ? QUICK : FULL
  const store = await setUp(resources, { pets: plan.pets, workers })
  const rig = { ...store, key: await createKey(store.databaseUrl, PROGRAM, '--scope', 'all') }
  await query(rig.databaseUrl, `create sequence bench_sales increment -2 maxvalue ${plan.pets} start ${plan.pets}`)
  const results = await compare(rig, plan)
  // Only if the whole interval of the median is too low.
  const judged = results.map((result) => (quick ? { ...result, ratio: result.ratioHigh ?? result.ratio } : result))
  return {
    setting: `\`WORKERS=${workers}\`, ${plan.pets.toLocaleString('en')} pets`,
    figures: throughputTable(results),
    data: results,
    missed: shortfalls(judged, quick ? QUICK_TARGETS : TARGETS),
  }
}
