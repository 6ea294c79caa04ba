import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { fairness } from './fairness.ts'
import { importScenario } from './import.ts'
import { memory } from './memory.ts'
import { ownWrites } from './own-writes.ts'
import { record } from './page.ts'
import { say } from './rig.ts'
import { scale } from './scale.ts'
import type { Scenario } from './scenario.ts'
import { sight } from './sight.ts'
import { throughput } from './throughput.ts'

const SCENARIOS: Record<string, Scenario> = {
  throughput,
  'own-writes': ownWrites,
  fairness,
  memory,
  import: importScenario,
  scale,
  sight,
}

// npm run bench -- [SCENARIO] [--quick] [--json] [--workers N]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
  },
})
const [name = 'throughput'] = positionals
const scenario = SCENARIOS[name]
if (!scenario) throw new Error(`Name one of these scenarios: ${Object.keys(SCENARIOS).join(', ')}`)

await using resources = new AsyncDisposableStack()
const outcome = await Promise.race([
  scenario(resources, { quick: values.quick, workers: Number(values.workers) }),
  // Thrown, so that whatever was started is stopped on the way out.
  ...['SIGINT', 'SIGTERM'].map(async (signal): Promise<never> => {
    await once(process, signal)
    throw new Error(`interrupted by ${signal}`)
  }),
])

console.log(values.json ? JSON.stringify(outcome.data) : outcome.figures)
if (!values.quick) await record(name, outcome)
for (const sentence of outcome.missed) say(`not reached: ${sentence}`)
process.exitCode = outcome.missed.length === 0 ? 0 : 1
