import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Reply } from './client.ts'
import { measureService, percentiles, type Rate } from './measure.ts'
import { create, cursorAfter, get, type Operation, read, upTo } from './operations.ts'
import { markdownTable, whole } from './report.ts'
import { log, setUp } from './rig.ts'
import type { Scenario } from './scenario.ts'

type Kind = Pick<Operation, 'request'>

const samePage: Kind = { request: () => read('/v1/pets?limit=100') }
const anyPage: Kind = { request: (pets) => read(`/v1/pets?limit=100&cursor=${cursorAfter(upTo(pets))}`) }

const manyIds: Kind = {
  request: (pets) => read(`/v1/pets?limit=100&id=${Array.from({ length: 100 }, () => upTo(pets)).join(',')}`),
}

interface Case {
  crowd: string
  crowdKind: Kind
  single: string
  singleKind: Kind
}

const CASES: Case[] = [
  { crowd: 'lists of 100, all the same page', crowdKind: samePage, single: 'gets', singleKind: get },
  { crowd: 'lists of 100, each another page', crowdKind: anyPage, single: 'gets', singleKind: get },
  { crowd: 'lists of 100 ids', crowdKind: manyIds, single: 'gets', singleKind: get },
  { crowd: 'creates', crowdKind: create, single: 'lists of 100', singleKind: anyPage },
]
const CROWD = 64
const EVERY_MS = 5
const MAX_TIMES = 5
// In the few seconds of the short form one stall of the machine makes a p99, but that of the crowd too.
const MAX_TIMES_CROWD_P99 = 3
const MAX_TIMES_CROWD = 2

/** The latency of single requests among a crowd of another kind. */
export interface Fare {
  crowd: string
  crowdRate: Rate
  single: string
  /** Milliseconds of the single requests. */
  p50: number
  p99: number
}

/** No request starves because of the requests of others. */
export const fairness: Scenario = async (resources, { quick, workers }) => {
  const [pets, plan] = quick
    ? [100_000, { rounds: 5, warmUp: 1, seconds: 1 }]
    : [1_000_000, { rounds: 1, warmUp: 5, seconds: 20 }]
  const rig = await setUp(resources, { pets, workers })
  const client = resources.use(new Client(rig.key))
  const rounds: Fare[][] = []
  while (rounds.length < plan.rounds) {
    const fares: Fare[] = []
    for (const { crowd, crowdKind, single, singleKind } of CASES) {
      log(`${single} every ${EVERY_MS} ms among ${CROWD} connections of ${crowd} …`)
      const load = { connections: CROWD, seconds: plan.warmUp + plan.seconds, pets }
      const [crowdRate, latencies] = await Promise.all([
        measureService(rig.service.url, rig.key, crowdKind, load),
        timeSingles(plan, () => client.send(rig.service.url, singleKind.request(pets))),
      ])
      fares.push({ crowd, crowdRate, single, ...percentiles(latencies) })
    }
    rounds.push(fares)
  }
  return {
    setting: `\`WORKERS=${workers}\``,
    figures: rounds.map(tableOf).join('\n\n'),
    data: quick ? rounds : rounds[0],
    missed: quick
      ? CASES.flatMap((_, i) => missedInAll(rounds.map((fares) => fares.slice(i, i + 1))))
      : rounds.flatMap((fares) => [...longTailsByOwn(fares), ...slowerThanCrowd(fares)]),
  }
}

/** The short form fails where each of its five rounds does: then the median is out of bounds with 97 % confidence. */
export function missedInAll(rounds: Fare[][]) {
  return [longTailsByCrowd, slowerThanCrowd].flatMap((missed) => {
    const [first = [], ...others] = rounds.map(missed)
    return others.every((sentences) => sentences.length > 0) ? first : []
  })
}

/** Sends at a steady pace, whether or not the previous response has arrived: a client that waits would miss the slow moments. */
async function timeSingles({ warmUp, seconds }: { warmUp: number; seconds: number }, send: () => Promise<Reply>) {
  return await Promise.all(
    Array.from({ length: (seconds * 1_000) / EVERY_MS }, async (_, i) => {
      await sleep(warmUp * 1_000 + i * EVERY_MS)
      return await timeOne(send)
    }),
  )
}

async function timeOne(send: () => Promise<Reply>) {
  const sent = performance.now()
  const { status } = await send()
  if (status !== 200) throw new Error(`a single request returned ${status}`)
  return performance.now() - sent
}

/** Some wait too long, compared with the median of the same requests. */
export function longTailsByOwn(fares: Fare[]) {
  return fares
    .filter(({ p50, p99 }) => !(p99 <= MAX_TIMES * p50))
    .map(
      ({ crowd, single, p50, p99 }) =>
        `among ${crowd}, p99 of ${single} is ${(p99 / p50).toFixed(1)} times their p50, not ${MAX_TIMES}`,
    )
}

/** Some wait too long, compared with the slowest of the crowd. */
export function longTailsByCrowd(fares: Fare[]) {
  return fares
    .filter(({ crowdRate, p99 }) => !(p99 <= MAX_TIMES_CROWD_P99 * crowdRate.p99))
    .map(
      ({ crowd, crowdRate, single, p99 }) =>
        `among ${crowd}, p99 of ${single} is ${(p99 / crowdRate.p99).toFixed(1)} times that of the crowd, not ${MAX_TIMES_CROWD_P99}`,
    )
}

/** All of them wait too long, compared with the crowd. */
export function slowerThanCrowd(fares: Fare[]) {
  return fares
    .filter(({ crowdRate, p50 }) => !(p50 <= MAX_TIMES_CROWD * crowdRate.p50))
    .map(
      ({ crowd, crowdRate, single, p50 }) =>
        `among ${crowd}, ${single} take ${(p50 / crowdRate.p50).toFixed(1)} times as long, not ${MAX_TIMES_CROWD}`,
    )
}

function tableOf(fares: Fare[]) {
  return markdownTable(
    ['crowd', 'crowd /s', 'p50 crowd', 'single requests', 'p50 single', 'p99 single', 'p99 / p50'],
    fares.map(({ crowd, crowdRate, single, p50, p99 }) => [
      crowd,
      whole(crowdRate.perSecond),
      `${crowdRate.p50.toFixed(2)} ms`,
      single,
      `${p50.toFixed(2)} ms`,
      `${p99.toFixed(2)} ms`,
      (p99 / p50).toFixed(1),
    ]),
  )
}
