import { rename } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { BREAKS } from './breaks.ts'
import type { Fault, Outcome, Stage } from './fault.ts'
import { FAULTS } from './matrix/all.ts'
import { FAULT_OPTIONS } from './options.ts'
import { record } from './page.ts'
import { lineOf, type Result, tableOf } from './report.ts'
import { putUpRig, type Rig } from './rig/rig.ts'
import { SITE_PREFIX } from './rig/site.ts'
import { say } from './say.ts'

// Started by main.ts inside the network of the rig, with the directory of the rig as first argument.
const [directory = '', ...args] = process.argv.slice(2)
const { values, positionals } = parseArgs({ args, allowPositionals: true, options: FAULT_OPTIONS })
const broken = values.break === undefined ? undefined : BREAKS[values.break]
const names = positionals.length === 0 && broken ? [broken.fault] : positionals

let rig: Promise<Rig> | undefined
const stage: Stage = {
  site: { directory },
  rig: () => (rig ??= putUp()),
  times: values.times === undefined ? undefined : Number(values.times),
  quick: values.quick,
  keyed: true,
  oversells: false,
  skipsEvents: false,
  storesEarly: false,
  losesWords: false,
  sharesPlaces: false,
  skipsDrain: false,
  say,
  ...broken?.stage,
}

async function putUp() {
  say('starting three nodes, a balancer and three processes of the service …')
  const whole = await putUpRig({ directory }, { driver: 'etcd', synchronous: true, ...broken?.cluster })
  say('the rig is whole')
  return whole
}

function isChosen(fault: Fault) {
  if (names.length > 0) return names.includes(fault.name)
  return !values.quick || fault.quick === true
}

/** The outcome of a fault that threw: the others are run all the same. */
function thrown(error: unknown): Outcome {
  console.error(error)
  return { times: 0, acked: 0, lost: 0, twice: 0, failed: 0, broken: [`it was not completed: ${String(error)}`] }
}

if (broken) say(`broken on purpose: ${broken.about}`)
const results: Result[] = []
for (const fault of FAULTS.filter(isChosen)) {
  for (let run = 0; run < (broken?.mostRuns ?? 1) && foundOnPurpose() === 0; run++) {
    say(`${fault.name}: ${fault.injected}`)
    const outcome = await fault.run(stage).catch(thrown)
    results.push({ fault, outcome })
    console.log(lineOf({ fault, outcome }))
    for (const sentence of outcome.broken) say(`${fault.name}: ${sentence}`)
  }
}

/** How often the checker saw what was broken on purpose. */
function foundOnPurpose() {
  return broken ? results.reduce((sum, { outcome }) => sum + Number(outcome[broken.shows] ?? 0), 0) : 0
}
if (!values.json) console.log(`\n${tableOf(results)}`)
if (values.record && !broken) await record(results)

const found = results.flatMap(({ outcome }) => outcome.broken)
if (found.length > 0 && !broken) {
  const kept = directory.replace(SITE_PREFIX, 'petstore-fault-logs-')
  await rename(`${directory}/log`, kept).catch(() => undefined)
  say(`the logs of the rig are kept in ${kept}`)
}
if (broken) {
  const [{ shows }, count] = [broken, foundOnPurpose()]
  const runs = `run ${results.length} of at most ${broken.mostRuns}`
  say(count > 0 ? `the checker found it in ${runs}: ${count} ${shows}` : `the checker did NOT find it in ${runs}`)
  process.exit(count > 0 ? 0 : 1)
}
// main.ts stops everything that was started, with the network.
process.exit(found.length > 0 ? 1 : 0)
