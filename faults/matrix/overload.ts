import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { medianInterval } from '../../bench/median-interval.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { byTheClock, latenessOf } from '../open-loop/lateness.ts'
import { createOf, runOpenLoop, type Sample } from '../open-loop/run.ts'
import { overloadPlot } from '../overload-plot.ts'
import { SERVICE_URL } from '../rig/balancer.ts'
import type { ServiceProcess } from '../rig/service.ts'
import { CALLER_ADDRESSES } from '../rig/site.ts'
import { openStore, startBalancer, startServices } from '../store.ts'
import { countStored, query } from '../stored.ts'
import { percentile } from '../under-load.ts'

// Each pet takes the database 5 ms, so that it stores about 200 a second: little enough that a generator beside the
// service, on two cores, can offer ten times as much.
const SLOW_INSERTS = `
  create function dawdle() returns trigger language plpgsql as 'begin perform pg_sleep(0.005); return new; end';
  create trigger dawdle before insert on pets for each row execute function dawdle()`
// No more than can be served within two seconds at this pace.
const MAX_IN_FLIGHT = '200'
const [OFFERED_TO_MEASURE, WARM_UP_S, MEASURED_S] = [1_000, 3, 7]
// The short form measures the last level five times: one stall of the machine spoils one of them, not the interval of the median.
const [TIMES, TIMES_QUICK] = [
  [1, 2, 5, 10],
  [1, 10, 10, 10, 10, 10],
]
const [SECONDS, SECONDS_QUICK] = [20, 2]
const GOOD_MS = 2_000
const [REST_MS, REST_QUICK_MS] = [5_000, 1_500]
const MIN_SHARE = { bare: 0.7, balanced: 0.9 }
// In the few seconds of the short form one stall of the machine makes a p99.
const [MAX_REFUSAL_MS, MAX_REFUSAL_QUICK_MS] = [20, 200]
const MAX_GROWTH_MB = 30
const [MAX_LATE_MS, MAX_LATE_QUICK_MS] = [10, 100]
const PLOT = new URL('../../docs/images/overload.svg', import.meta.url)

/** What one level of load gave. */
interface Level {
  /** Times the capacity. */
  times: number
  offered: number
  /** Pets a second that were confirmed within two seconds of the moment when they were to be added. */
  goodput: number
  refused: number
  /** Neither confirmed in time nor rejected. */
  rest: number
  refusalP99: number
  growthMb: number
  /** By how much the generator was behind its schedule. */
  lateP99: number
}

export const overload: Fault = {
  name: 'overload',
  injected: 'up to ten times as many creates as the service can take, sent without waiting for responses',
  invariant: 'goodput at 10× ≥ 70 % of the peak, ≥ 90 % behind the balancer; rejections p99 ≤ 20 ms; memory flat',
  run: overloadService,
}

async function overloadService(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting PostgreSQL, a process of the service and the balancer …')
  const { databaseUrl, key } = await openStore(stage, resources)
  await query(databaseUrl, SLOW_INSERTS)
  const [service] = await startServices(stage, resources, databaseUrl, { environment: { MAX_IN_FLIGHT } })
  if (!service) throw new Error('No process was started.')
  await startBalancer(stage, resources)

  const label = `overload ${Date.now()}`
  const origin = `http://${service.address}:8080`
  const all: Sample[] = []
  let runs = 0
  const offer = async (to: string, perSecond: number, seconds: number) => {
    const kinds = [createOf(key, `${label} ${++runs}`)]
    const samples = await runOpenLoop({ origin: to, kinds, perSecond, seconds, from: CALLER_ADDRESSES })
    all.push(...samples)
    return samples
  }
  const capacity = capacityIn(await offer(origin, OFFERED_TO_MEASURE, MEASURED_S))
  stage.say(`capacity: ${capacity} creates a second`)

  const levelsAt = async (to: string, name: string) => {
    const levels: Level[] = []
    for (const times of stage.quick ? TIMES_QUICK : TIMES) {
      await sleep(stage.quick ? REST_QUICK_MS : REST_MS)
      const level = await measure(service, times, capacity * times, stage.quick ? SECONDS_QUICK : SECONDS, (...load) =>
        offer(to, ...load),
      )
      levels.push(level)
      stage.say(`${name} ${times}×: ${JSON.stringify(level)}`)
    }
    return levels
  }
  const bare = await levelsAt(origin, 'bare')
  const balanced = await levelsAt(SERVICE_URL, 'behind the balancer')

  const acked = all.filter(({ status }) => status === 201).length
  const { stored, twice } = await countStored(databaseUrl, label)
  const lost = Math.max(0, acked - stored)
  const isOnTime = [...bare, ...balanced].every(({ lateP99 }) => lateP99 <= MAX_LATE_MS)
  if (!stage.quick && isOnTime) await writeFile(PLOT, overloadPlot({ bare, balanced }))
  return {
    times: bare.length + balanced.length,
    acked,
    lost,
    twice,
    failed: all.length - acked,
    capacity,
    bare,
    balanced,
    broken: [
      ...(lost > 0 ? [`${lost} confirmed pets are not stored`] : []),
      ...faultsOf('bare', bare, stage),
      ...faultsOf('balanced', balanced, stage),
    ],
  }
}

/** What was confirmed a second, however late, once all connections were made. */
function capacityIn(samples: Sample[]) {
  const confirmed = samples.filter(({ status }) => status === 201).map(({ at, ms }) => (at + ms) / 1_000)
  const counted = confirmed.filter((second) => second >= WARM_UP_S && second < MEASURED_S)
  return Math.round(counted.length / (MEASURED_S - WARM_UP_S))
}

async function measure(
  { pid }: ServiceProcess,
  times: number,
  offered: number,
  seconds: number,
  offer: (perSecond: number, seconds: number) => Promise<Sample[]>,
): Promise<Level> {
  const megabytes: number[] = []
  const watch = setInterval(() => megabytes.push(residentMegabytes(pid)), 500)
  const samples = (await offer(offered, seconds + 1)).filter(({ at }) => at >= 1_000) // until connections are made
  clearInterval(watch)
  const good = samples.filter(({ status, ms }) => status === 201 && ms <= GOOD_MS).length
  const refusals = samples.filter(({ status }) => status === 503)
  const quarter = (n: number) => megabytes.slice((megabytes.length * (n - 1)) >> 2, (megabytes.length * n) >> 2)
  return {
    times,
    offered,
    goodput: Math.round(good / seconds),
    refused: Math.round(refusals.length / seconds),
    rest: Math.round((samples.length - good - refusals.length) / seconds),
    refusalP99: percentile(
      refusals.map(({ ms }) => ms),
      0.99,
    ),
    growthMb: Math.round(mean(quarter(4)) - mean(quarter(2))),
    lateP99: latenessOf(samples),
  }
}

function faultsOf(way: keyof typeof MIN_SHARE, levels: Level[], stage: Stage) {
  const [mostLate, mostRefusal] = stage.quick
    ? [MAX_LATE_QUICK_MS, MAX_REFUSAL_QUICK_MS]
    : [MAX_LATE_MS, MAX_REFUSAL_MS]
  const byTimes = [...Map.groupBy(levels, ({ times }) => times).values()]
  const peak = Math.max(...byTimes.map((same) => medianInterval(same.map(({ goodput }) => goodput)).low))
  const last = levels.at(-1)
  // What was measured several times is judged by the 94 % interval of its median, and fails only if all of it is out of bounds.
  const share = medianInterval((byTimes.at(-1) ?? []).map(({ goodput }) => goodput)).high / peak
  const refusals = Math.max(...byTimes.map((same) => medianInterval(same.map(({ refusalP99 }) => refusalP99)).low))
  const growth = last?.growthMb ?? 0
  const late = Math.max(...byTimes.map((same) => medianInterval(same.map(({ lateP99 }) => lateP99)).low))
  const broken = [
    ...byTheClock(stage, late, mostLate, [
      ...(share >= MIN_SHARE[way] ? [] : [`goodput at ${last?.times}× is ${Math.round(share * 100)} % of the peak`]),
      ...(refusals <= mostRefusal
        ? []
        : [`rejections take ${refusals} ms at p99; at most ${mostRefusal} ms are allowed`]),
    ]),
    ...(growth <= MAX_GROWTH_MB ? [] : [`memory grew by ${growth} MB at ${last?.times}×`]),
  ]
  return broken.map((sentence) => `${way}: ${sentence}`)
}

function residentMegabytes(pid: number) {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kibibytes) * 1_024) / 1e6
}

function mean(values: number[]) {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
