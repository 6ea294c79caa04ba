import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { against } from './against.ts'
import { churn } from './churn.ts'
import { createWithWords } from './create-with-words.ts'
import { expiry } from './expiry.ts'
import { fairness } from './fairness.ts'
import { feed } from './feed.ts'
import { importScenario } from './import.ts'
import { memory } from './memory.ts'
import { observability } from './observability.ts'
import { ownWrites } from './own-writes.ts'
import { record } from './page.ts'
import { log } from './rig.ts'
import { sales } from './sales.ts'
import { sandbox } from './sandbox.ts'
import { scale } from './scale.ts'
import type { Scenario } from './scenario.ts'
import { search } from './search.ts'
import { selling } from './selling.ts'
import { size } from './size.ts'
import { throughput } from './throughput.ts'
import { webhooks } from './webhooks.ts'

const SCENARIOS: Record<string, Scenario> = {
  throughput,
  selling,
  'create-with-words': createWithWords,
  'own-writes': ownWrites,
  fairness,
  memory,
  import: importScenario,
  expiry,
  scale,
  search,
  sales,
  size,
  observability,
  churn,
  feed,
  webhooks,
  sandbox,
  against,
}

const HELP = `npm run bench -- [SCENARIO] [--quick] [--json] [--workers N]

Measures the service, and exits with 1 if a target is missed.

  throughput     rates and latencies compared with bare PostgreSQL (the default)
  selling        updates and orders compared with bare PostgreSQL
  create-with-words
                 creates compared with bare PostgreSQL doing all of their work
  own-writes     whether every client reads its own writes
  fairness       how single requests fare among many of another kind
  memory         memory of each process under mixed load
  import         petstore import compared with COPY
  expiry         how fast orders expire, and what others notice of it
  scale          the same at 10^4 to 10^8 pets
  search         finding pets by name, at 10^4 to 10^7 pets
  sales          the sales of a day, at 10^4 and 10^6 orders
  size           what a pet and its words take on disk
  observability  the cost of metrics, logs and traces
  churn          the first page of available pets while the oldest are sold
  feed           what the feed of events costs, and how fast it is
  webhooks       how soon webhooks receive events, and how many deliveries are possible
  sandbox        what a sandbox costs requests of the live store
  against REF [OPERATION…]
                 this checkout compared with another version, in turns;
                 fails if an operation is slower for certain, by more than 3 %;
                 create, get, list and walk, or those named: update and sell too;
                 import alone, which must keep 0.8 of its rate

  --quick      a short form with wider targets, which leaves the docs as they are
  --json       prints the figures as JSON
  --workers N  processes of the service (2)`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(HELP)
else await measure()

async function measure() {
  const [name = 'throughput', ref, ...operations] = positionals
  const scenario = SCENARIOS[name]
  if (!scenario) throw new Error(`Name one of these scenarios: ${Object.keys(SCENARIOS).join(', ')}`)

  await using resources = new AsyncDisposableStack()
  const outcome = await Promise.race([
    scenario(resources, { quick: values.quick, workers: Number(values.workers), ref, operations }),
    // Thrown, so that `resources` is disposed on the way out.
    ...['SIGINT', 'SIGTERM'].map(async (signal): Promise<never> => {
      await once(process, signal)
      throw new Error(`interrupted by ${signal}`)
    }),
  ])

  console.log(values.json ? JSON.stringify(outcome.data) : outcome.figures)
  if (!values.quick) await record(name, outcome)
  for (const sentence of outcome.missed) log(`missed: ${sentence}`)
  process.exitCode = outcome.missed.length === 0 ? 0 : 1
}
