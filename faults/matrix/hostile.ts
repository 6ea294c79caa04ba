import { randomInt } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { byTheClock, latenessOf } from '../open-loop/lateness.ts'
import { createOf, headOf, runOpenLoop, type Sample } from '../open-loop/run.ts'
import { SERVICE_URL } from '../rig/balancer.ts'
import { createKey } from '../rig/service.ts'
import { BALANCER_ADDRESS, CALLER_ADDRESSES } from '../rig/site.ts'
import { openStore, startBalancer, startServices } from '../store.ts'
import { percentile } from '../under-load.ts'

const HOSTILE_PER_SECOND = 60
const HONEST_PER_SECOND = 100
const MAX_TIMES = 3
// In a few seconds, one stall of the machine makes the p99: the short form judges the p90, and nothing that is still fast.
const [JUDGED, JUDGED_QUICK] = [0.99, 0.9]
const MIN_JUDGED_MS = 50
const [ROUNDS, ROUNDS_QUICK] = [3, 1]
const [SECONDS, SECONDS_QUICK] = [8, 4]
const WARM_UP_S = 1
const MAX_LATE_MS = 25
const HELD_MS = 2_000
const PACE_MS = 5
const BODY_BYTES = 65_536

/** Requests that were made to cost as much as possible hurt no one else, with or without a key. */
export const hostile: Fault = {
  name: 'hostile',
  injected: `${HOSTILE_PER_SECOND}/s of the most expensive requests from one address: paths of percent signs, large bodies and lists, pipelines of 2,000 requests, forged keys`,
  invariant: `the p99 of honest requests from other addresses (in the short form the p90, above ${MIN_JUDGED_MS} ms) is at most ${MAX_TIMES} times that without them, and none fails`,
  quick: true,
  run: attack,
}

async function attack(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting PostgreSQL, two processes of the service and the balancer …')
  const { databaseUrl, key } = await openStore(stage, resources)
  // No AUTH_FAILURE_LIMIT: it would spare the service nearly all of the forged keys.
  const environment = { TRUST_PROXY: BALANCER_ADDRESS }
  await startServices(stage, resources, databaseUrl, { count: 2, environment })
  await startBalancer(stage, resources)
  const attacks = attacksWith(await createKey(databaseUrl))
  const [hostileAddress = '', ...honestAddresses] = CALLER_ADDRESSES
  const [rounds, seconds] = stage.quick ? [ROUNDS_QUICK, SECONDS_QUICK] : [ROUNDS, SECONDS]

  /** Honest requests, and beside them hostile ones. The first second, in which connections are made, does not count. */
  const play = async (requests?: string[]) => {
    const load = { origin: SERVICE_URL, seconds: seconds + WARM_UP_S }
    const honest = [createOf(key, 'honest'), { name: 'list', bytes: headOf('GET', '/v1/pets?limit=20', key) }]
    const [samples] = await Promise.all([
      runOpenLoop({ ...load, kinds: honest, perSecond: HONEST_PER_SECOND, from: honestAddresses }),
      requests && flood(requests, load.seconds, hostileAddress),
    ])
    return samples.filter(({ at }) => at >= WARM_UP_S * 1_000)
  }

  const quiet: Sample[] = []
  const beside: Record<string, Sample[]> = {}
  for (let round = 1; round <= rounds; round++)
    for (const [name, requests] of Object.entries(attacks)) {
      stage.say(`round ${round} of ${rounds}: without and with ${name}`)
      quiet.push(...(await play()))
      beside[name] = [...(beside[name] ?? []), ...(await play(requests))]
    }

  const all = [...quiet, ...Object.values(beside).flat()]
  const failed = all.filter(({ status }) => status !== 200 && status !== 201).length
  const share = stage.quick ? JUDGED_QUICK : JUDGED
  const timeOf = (samples: Sample[]) => percentile(timesOf(samples), share)
  const alone = timeOf(quiet)
  const withAttack = Object.fromEntries(Object.entries(beside).map(([name, samples]) => [name, timeOf(samples)]))
  const most = Math.max(MAX_TIMES * alone, stage.quick ? MIN_JUDGED_MS : 0)
  const slowed = Object.entries(withAttack).filter(([, ms]) => ms > most)
  return {
    times: rounds,
    acked: 0,
    lost: 0,
    twice: 0,
    failed,
    percentile: share * 100,
    aloneMs: alone,
    besideMs: withAttack,
    broken: [
      ...(failed > 0 ? [`${failed} of ${all.length} honest requests failed`] : []),
      ...byTheClock(
        stage,
        latenessOf(all),
        MAX_LATE_MS,
        slowed.map(([name, ms]) => `beside ${name}: ${ms} ms, without ${alone} ms`),
      ),
    ],
  }
}

/** Sends the requests in turn, each on a connection of its own, and reads what comes back. */
async function flood(requests: string[], seconds: number, localAddress: string) {
  const { hostname: host, port } = new URL(SERVICE_URL)
  const begun = performance.now()
  let sent = 0
  const pace = setInterval(() => {
    const due = ((performance.now() - begun) / 1_000) * HOSTILE_PER_SECOND
    for (; sent < due; sent++) {
      const socket = connect({ host, port: Number(port), localAddress })
      socket.on('error', () => {}) // a reset is a way to be rejected
      socket.resume().write(requests[sent % requests.length] ?? '', 'latin1')
      const end = setTimeout(() => socket.destroy(), HELD_MS)
      socket.once('close', () => clearTimeout(end))
    }
  }, PACE_MS)
  await sleep(seconds * 1_000)
  clearInterval(pace)
}

/** As bytes, by what they are made of. */
function attacksWith(key: string): Record<string, string[]> {
  const post = (body: string, headers: string[]) => `${headOf('POST', '/v1/pets', key, headers)}${body}`
  const sized = (body: string) => post(body, [`Content-Length: ${body.length}`])
  const chunks = '1\r\na\r\n'.repeat(BODY_BYTES - 100)
  return {
    'paths of percent signs': [headOf('GET', `/v1/pets${'/%'.repeat(8_000)}`)],
    'large bodies and lists': [
      sized(`{"name":"a","categoryId":1,"x":[1234567890123456${',1'.repeat(32_000)}]}`),
      headOf('GET', `/v1/pets?id=${','.repeat(15_000)}`, key),
      post(`${chunks}0\r\n\r\n`, ['Transfer-Encoding: chunked']),
    ],
    'pipelines of 2,000 requests': [headOf('GET', '/livez').repeat(2_000), headOf('GET', '/docs').repeat(2_000)],
    'forged keys': Array.from({ length: HOSTILE_PER_SECOND * SECONDS * ROUNDS }, () =>
      headOf('GET', '/v1/pets?limit=1', forgedKey()),
    ),
  }
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A key that does not exist, with a right checksum: only the database can tell. */
function forgedKey() {
  const secret = Array.from({ length: 30 }, () => BASE62[randomInt(62)]).join('')
  const checksum = Array.from({ length: 6 }, (_, i) => BASE62[Math.floor(crc32(secret) / 62 ** (5 - i)) % 62]).join('')
  return `petk_live_${secret}${checksum}`
}

function timesOf(samples: Sample[]) {
  return samples.map(({ ms }) => ms)
}
