import { setTimeout as sleep } from 'node:timers/promises'
import { medianInterval } from '../../bench/median-interval.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { byTheClock, latenessOf } from '../open-loop/lateness.ts'
import { headOf, type Kind, runOpenLoop, type Sample } from '../open-loop/run.ts'
import { SERVICE_URL } from '../rig/balancer.ts'
import { RedisServer } from '../rig/redis.ts'
import { createKey } from '../rig/service.ts'
import { BALANCER_ADDRESS, CALLER_ADDRESSES } from '../rig/site.ts'
import { openStore, startBalancer, startServices } from '../store.ts'

const [PROCESSES, QUOTA, FLOOD] = [3, 100, 1_000]
const FAILURES = 20
const [MIN_ADMITTED, MAX_ADMITTED] = [95, 105]
// Four keys, each well below its own limit.
const [OTHERS, OTHERS_PER_SECOND] = [4, 200]
const [WARM_UP_S, REDIS_PORT] = [1, 6_400]
const [ROUNDS, ROUNDS_QUICK] = [3, 2]
const [SECONDS, SECONDS_QUICK] = [10, 5]
const [MAX_TIMES, MAX_TIMES_QUICK] = [
  { key: 1.2, address: 1.1 },
  { key: 3, address: 3 },
]
const MAX_LATE_MS = 25
const [PAUSE_S, OVERTAKEN_S] = [0.3, 0.02]
const [KILLED_S, BACK_S, AGAIN_S, END_S] = [4, 8, 10, 14]

/** A noisy client is held to its limit, and does not slow down others. */
export const rateLimit: Fault = {
  name: 'rate-limit',
  injected: `a key with a limit of ${QUOTA}/s sends ${FLOOD}/s to ${PROCESSES} processes; Redis is killed and comes back; ${FLOOD}/s wrong keys from one address`,
  invariant: `${MIN_ADMITTED} to ${MAX_ADMITTED} admitted in every second; without Redis ${PROCESSES} × ${QUOTA} at most, and no 5xx; others wait at most 20 % longer at p99, and 10 % for the wrong keys at p50`,
  run: floodByKey,
}

async function floodByKey(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say(`starting PostgreSQL, Redis, ${PROCESSES} processes of the service and the balancer …`)
  const { databaseUrl, key: noisyKey } = await openStore(stage, resources)
  const redis = resources.use(new RedisServer(REDIS_PORT))
  await redis.start()
  const environment = {
    REDIS_URL: redis.url,
    RATE_LIMIT: `${QUOTA}/s`,
    AUTH_FAILURE_LIMIT: `${FAILURES}/m`,
    // Requests come from ten addresses, as if through trusted proxies: the balancer limits each address.
    TRUST_PROXY: [BALANCER_ADDRESS, ...CALLER_ADDRESSES].join(','),
  }
  await startServices(stage, resources, databaseUrl, { count: PROCESSES, environment })
  await startBalancer(stage, resources)

  const noisy = listBy('noisy', noisyKey)
  const others: Kind[] = []
  for (let i = 0; i < OTHERS; i++) others.push(listBy('other', await createKey(databaseUrl)))
  const wrong = listBy('wrong', 'petk_live_noise', ['X-Forwarded-For: 203.0.113.7'])
  const [rounds, seconds] = stage.quick ? [ROUNDS_QUICK, SECONDS_QUICK] : [ROUNDS, SECONDS]

  /** The others, and a noisy client beside them. The first second, in which connections are made, does not count. */
  const play = async (loud?: Kind, forSeconds = seconds) => {
    const load = { origin: SERVICE_URL, seconds: forSeconds + WARM_UP_S, from: CALLER_ADDRESSES }
    const samples = await Promise.all([
      runOpenLoop({ ...load, kinds: others, perSecond: OTHERS_PER_SECOND }),
      loud ? runOpenLoop({ ...load, kinds: [loud], perSecond: FLOOD }) : [],
    ])
    return samples.map((part) => part.filter(({ at }) => at >= WARM_UP_S * 1_000)) as [Sample[], Sample[]]
  }

  const quiet: Sample[] = []
  const [besideKey, besideAddress]: [Sample[], Sample[]] = [[], []]
  const admitted: number[] = []
  const [floods, wrongs]: [Sample[], Sample[]] = [[], []]
  for (let round = 1; round <= rounds; round++) {
    stage.say(`round ${round} of ${rounds}: the others alone, beside a key that floods, beside wrong keys that flood`)
    quiet.push(...(await play())[0])
    const [othersNow, flood] = await play(noisy)
    besideKey.push(...othersNow)
    floods.push(...flood)
    admitted.push(...admittedEachSecond(flood))
    const [othersThen, failures] = await play(wrong)
    besideAddress.push(...othersThen)
    wrongs.push(...failures)
  }
  stage.say(`admitted in each second: ${admitted.join(' ')}`)

  stage.say('killing Redis in the middle of a flood, and starting it again')
  const [[bystanders, flood]] = await Promise.all([play(noisy, END_S), killAndRevive(redis)])
  const without = secondsOf(flood, KILLED_S + 1, BACK_S)
  const again = admittedEachSecond(flood.filter(({ at }) => at >= (WARM_UP_S + AGAIN_S) * 1_000))
  stage.say(`admitted in each second without Redis: ${without.join(' ')}; when it is back: ${again.join(' ')}`)

  const all = [...quiet, ...besideKey, ...besideAddress, ...floods, ...wrongs, ...bystanders, ...flood]
  const failed = all.filter(({ status }) => status >= 500 || status === 0).length
  const refusedOthers = [...quiet, ...besideKey, ...besideAddress, ...bystanders].filter(({ status }) => status !== 200)
  const blocked = wrongs.filter(({ status }) => status === 429).length
  const figures = {
    othersAlone: timesOf(quiet),
    besideKey: timesOf(besideKey),
    besideAddress: timesOf(besideAddress),
  }
  const lateP99 = Math.max(...[quiet, besideKey, besideAddress].map(latenessOf))
  const most = stage.quick ? MAX_TIMES_QUICK : MAX_TIMES
  // One stall of the machine makes the p99 of a few seconds.
  const judged = stage.quick ? 'p50' : 'p99'
  const slowerBy = {
    key: ratio(figures.besideKey[judged], figures.othersAlone[judged]),
    address: ratio(figures.besideAddress.p50, figures.othersAlone.p50),
  }
  const limited = (when: string, counts: number[], mostAdmitted: number) =>
    (stage.quick ? medianOutOfBounds : outOfBounds)(when, counts, MIN_ADMITTED, mostAdmitted)
  return {
    times: rounds,
    acked: 0,
    lost: 0,
    twice: 0,
    failed,
    admitted,
    withoutRedis: without,
    redisBack: again,
    ...figures,
    slowerBy,
    lateP99,
    broken: [
      ...(failed > 0 ? [`${failed} requests got 5xx or no response`] : []),
      ...(refusedOthers.length > 0 ? [`${refusedOthers.length} requests of the others were rejected`] : []),
      ...limited('with Redis', admitted, MAX_ADMITTED),
      ...limited('without Redis', without, PROCESSES * QUOTA),
      ...limited('with Redis back', again, MAX_ADMITTED),
      ...(blocked < 0.9 * wrongs.length ? [`only ${blocked} of ${wrongs.length} wrong keys were blocked`] : []),
      ...byTheClock(stage, lateP99, MAX_LATE_MS, [
        ...(slowerBy.key > most.key
          ? [`the others waited ${slowerBy.key} times as long at ${judged} beside a flood`]
          : []),
        ...(slowerBy.address > most.address
          ? [`the others waited ${slowerBy.address} times as long at p50 beside wrong keys`]
          : []),
      ]),
    ],
  }
}

async function killAndRevive(redis: RedisServer) {
  await sleep((WARM_UP_S + KILLED_S) * 1_000)
  await redis.kill()
  await sleep((BACK_S - KILLED_S) * 1_000)
  await redis.start()
}

function listBy(name: string, key: string, headers: string[] = []): Kind {
  return { name, bytes: headOf('GET', '/v1/pets?limit=1', key, headers) }
}

/** In whole seconds from the beginning of a window: from a call that was admitted after a while in which none was. */
function admittedEachSecond(samples: Sample[]) {
  const moments = admissions(samples)
  const begun = moments.find((moment, i) => moment - (moments[i - 1] ?? moment) > PAUSE_S) ?? 0
  // A little before it: calls overtake each other. The last second is not whole.
  const since = moments.filter((moment) => moment >= begun).map((moment) => moment - begun + OVERTAKEN_S)
  return countBySecond(since).slice(0, -1)
}

function secondsOf(samples: Sample[], from: number, to: number) {
  return countBySecond(admissions(samples).map((moment) => moment - WARM_UP_S)).slice(from, to)
}

function admissions(samples: Sample[]) {
  return samples
    .filter(({ status }) => status === 200)
    .map(({ at, ms }) => (at + ms) / 1_000)
    .toSorted((a, b) => a - b)
}

function countBySecond(moments: number[]) {
  const last = Math.floor(moments.at(-1) ?? 0)
  return Array.from(
    { length: last + 1 },
    (_, second) => moments.filter((moment) => Math.floor(moment) === second).length,
  )
}

function outOfBounds(when: string, counts: number[], least: number, most: number) {
  const odd = counts.filter((count) => !(count >= least && count <= most))
  if (counts.length === 0) return [`${when}: nothing was admitted`]
  return odd.length > 0 ? [`${when}: ${odd.join(', ')} were admitted in a second, not ${least} to ${most}`] : []
}

/** A stall of the machine moves requests from one second to the next, so the short form judges the interval of the median. */
function medianOutOfBounds(when: string, counts: number[], least: number, most: number) {
  const { low, high, confidence } = medianInterval(counts)
  if (high >= least && low <= most) return []
  return [`${when}: a median of ${low} to ${high} (${confidence} %) admitted in a second, not ${least} to ${most}`]
}

function timesOf(samples: Sample[]) {
  const times = samples.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2))
  return { p50: at(0.5), p99: at(0.99) }
}

function ratio(a: number, b: number) {
  return Number((a / b).toFixed(2))
}
