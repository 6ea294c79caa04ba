import pg from 'pg'
import { Client } from './client.ts'
import { measureWaiting, type PollPlan, type Waiting, waitingTable } from './long-polls.ts'
import { read } from './operations.ts'
import { log, setUpStore } from './rig.ts'
import type { Scenario } from './scenario.ts'
import { SequencerBench, type Sequencing, sequencingTable, type Weight, weightTable } from './sequencing.ts'
import { createKey, PROGRAM, startService } from './service.ts'

interface Plan {
  pets: number
  rates: number[]
  /** Of each rate. */
  seconds: number
  polls: PollPlan
  targets: Targets
}

export interface Targets {
  /** From a commit until its event can be read, milliseconds. */
  visibleP99: number
  /** From a commit to the response of a request that waits. */
  wokenP50: number
  /** p50 of other requests beside those that wait, to p50 without. */
  mostRatio: number
}

const TARGETS: Targets = { visibleP99: 1_000, wokenP50: 250, mostRatio: 1.1 }
const PAGE = 100
const WEIGHED = 20_000
// A key can take a quarter of the places.
const POLLERS = 5
// A process lets 128 wait; some places are left for those that come and go.
const FULL: Plan = {
  pets: 1_000_000,
  rates: [100, 1_000, 10_000],
  seconds: 20,
  polls: { processes: 8, waitingEach: 125, rounds: 10, seconds: 5 },
  targets: TARGETS,
}
const QUICK: Plan = {
  pets: 100_000,
  rates: [100, 5_000],
  seconds: 5,
  polls: { processes: 1, waitingEach: 125, rounds: 6, seconds: 3 },
  // Wide, since CI machines have other load.
  targets: { ...TARGETS, visibleP99: 3_000, wokenP50: 500 },
}

/** What the feed costs, and how long an event takes to its readers. */
export const feed: Scenario = async (resources, { quick }) => {
  const { pets, rates, seconds, polls, targets } = quick ? QUICK : FULL
  const { databaseUrl } = await setUpStore(resources, pets)
  const newClient = async () => resources.use(new Client(await createKey(databaseUrl, PROGRAM, '--scope', 'all')))
  const client = await newClient()
  const pollers = await Promise.all(Array.from({ length: POLLERS }, newClient))
  const services = [resources.use(await startService(databaseUrl, 1))]
  const [sequencer] = services

  const bench = resources.use(await SequencerBench.start(databaseUrl, sequencer as (typeof services)[number]))
  const sequencings: Sequencing[] = []
  for (const rate of rates) sequencings.push(await bench.measure(rate, seconds))
  const weight: Weight = { ...(await bench.weigh(WEIGHED)), json: await jsonBytes(client, sequencer?.url ?? '') }

  log(`starting ${polls.processes - 1} more processes …`)
  while (services.length < polls.processes) services.push(resources.use(await startService(databaseUrl, 1)))
  const database = new pg.Client(databaseUrl)
  await database.connect()
  resources.defer(() => database.end())
  const waiting = await measureWaiting(client, pollers, database, services, polls)
  return {
    setting: `${polls.processes} processes`,
    figures: [sequencingTable(sequencings), weightTable(weight), waitingTable([waiting])].join('\n\n'),
    data: { sequencings, weight, waiting },
    missed: [...late(sequencings, targets), ...slow(waiting, targets)],
  }
}

async function jsonBytes(client: Client, url: string) {
  const { status, text } = await client.send(url, read(`/v1/events?limit=${PAGE}`))
  if (status !== 200) throw new Error(`the feed returned ${status}: ${text}`)
  return text.length / PAGE
}

/** What the sequencer missed, as sentences. */
export function late(sequencings: Sequencing[], { visibleP99 }: Pick<Targets, 'visibleP99'>) {
  return sequencings.flatMap(({ asked, added, numbered, p99 }) => [
    ...(numbered === added ? [] : [`of ${added} events at ${asked} a second ${numbered} have a number`]),
    ...(p99 <= visibleP99
      ? []
      : [`at ${asked} events a second p99 to a number is ${p99.toFixed(0)} ms, not ${visibleP99}`]),
  ])
}

/** What requests that wait missed, or made slower. Other requests only where the whole interval is too high. */
export function slow(
  { missed, p50, ratio }: Pick<Waiting, 'missed' | 'p50' | 'ratio'>,
  { wokenP50, mostRatio }: Targets,
) {
  return [
    ...(missed === 0 ? [] : [`${missed} times a request that waited did not get an event`]),
    ...(p50 <= wokenP50 ? [] : [`requests that wait get an event after ${p50.toFixed(0)} ms (p50), not ${wokenP50}`]),
    ...(ratio.low <= mostRatio
      ? []
      : [
          `beside requests that wait, others take ${ratio.median.toFixed(2)} times as long (${ratio.low.toFixed(2)} at least), not ${mostRatio}`,
        ]),
  ]
}
