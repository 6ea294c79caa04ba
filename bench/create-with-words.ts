import { compare, type Plan } from './compare.ts'
import { throughputTable } from './report.ts'
import { setUp } from './rig.ts'
import type { Scenario } from './scenario.ts'
import { shortfalls, type Targets } from './verdict.ts'

const FULL: Plan = {
  operations: ['create with words'],
  connections: [64],
  rounds: 6,
  warmUpSeconds: 8,
  seconds: 6,
  pets: 1_000_000,
}
const QUICK: Plan = { ...FULL, warmUpSeconds: 3, seconds: 2, pets: 100_000 }

const TARGETS: Targets = { ratio: { 'create with words': 1.3 }, shareAt256: 0.9, extraMsAt1: 0.4, shareOnce: 0 }
/** Wide, since CI machines have other load. */
const QUICK_TARGETS: Targets = { ...TARGETS, ratio: { 'create with words': 1 } }

/** Creates compared with a PostgreSQL that does all that a create does: the pet, its event and its words in one statement. */
export const createWithWords: Scenario = async (resources, { quick, workers }) => {
  const plan = quick ? QUICK : FULL
  const results = await compare(await setUp(resources, { pets: plan.pets, workers }), plan)
  // Only if the whole interval of the median is too low.
  const judged = results.map((result) => (quick ? { ...result, ratio: result.ratioHigh ?? result.ratio } : result))
  return {
    setting: `\`WORKERS=${workers}\`, ${plan.pets.toLocaleString('en')} pets`,
    figures: throughputTable(results),
    data: results,
    missed: shortfalls(judged, quick ? QUICK_TARGETS : TARGETS),
  }
}
