import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { byTheClock, latenessOf } from '../open-loop/lateness.ts'
import { createOf, headOf, runOpenLoop, type Sample } from '../open-loop/run.ts'
import { openStore, startServices } from '../store.ts'
import { countStored, query } from '../stored.ts'
import { percentile } from '../under-load.ts'

/** A kind of slow client, and when the service must have closed its connection, by its own limits. */
interface Burden {
  name: string
  begin: string
  /** Sent again every second. */
  drip?: string
  /** It sends requests, and never reads. */
  isDeaf?: boolean
  /** Of all, if not as many as of the others. */
  share?: number
  /** What the service's limits say: 4 s for a request to arrive whole, 72 s for a connection on which nothing moves. */
  limitMs: number
}

const [SOCKETS, SOCKETS_QUICK] = [2_000, 400]
const SLACK_MS = 5_000
const PER_SECOND = 200
const LOOK_MS = 250
const MAX_LATE_MS = 250
// Each asks for forty lists at once: many of these would be an overload, which is another fault.
const DEAF_SHARE = 0.01
const ARRIVAL_MS = 4_000
const SILENCE_MS = 20_000

export const slowClients: Fault = {
  name: 'slow-clients',
  injected: '2,000 connections that send nothing, send a byte a second, or never read their responses',
  invariant: 'all closed within 5 s of the limits; all other requests are served as before',
  run: burden,
}

function burdensOf(key: string, isQuick: boolean): Burden[] {
  const list = headOf('GET', '/v1/pets?limit=100', key)
  const burdens: Burden[] = [
    { name: 'says nothing', begin: '', limitMs: ARRIVAL_MS },
    { name: 'drips headers', begin: 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nX: ', drip: 'x', limitMs: ARRIVAL_MS },
    {
      name: 'drips a body',
      begin: `${headOf('POST', '/v1/pets', key, ['Content-Length: 1000'])}{`,
      drip: ' ',
      limitMs: ARRIVAL_MS,
    },
    // Enough responses, of some 30 kB each, to fill every buffer on the way.
    { name: 'never reads', begin: list.repeat(40), isDeaf: true, share: DEAF_SHARE, limitMs: SILENCE_MS },
  ]
  return isQuick ? burdens.filter(({ limitMs }) => limitMs === ARRIVAL_MS) : burdens
}

async function burden(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting PostgreSQL and a process of the service …')
  const { databaseUrl, key } = await openStore(stage, resources)
  await query(
    databaseUrl,
    `insert into pets (name, category_id) select repeat('x', 250), n from generate_series(1, 100) n`,
  )
  const [service] = await startServices(stage, resources, databaseUrl)
  const origin = `http://${service?.address}:8080`
  const label = `slow-clients ${Date.now()}`
  const kinds = [createOf(key, label), { name: 'list', bytes: headOf('GET', '/v1/pets?limit=100', key) }]
  const burdens = burdensOf(key, stage.quick)
  const longestMs = Math.max(...burdens.map(({ limitMs }) => limitMs)) + SLACK_MS

  stage.say('in peace …')
  const before = await runOpenLoop({ origin, kinds: kinds.slice(1), perSecond: PER_SECOND, seconds: 5 })
  const sockets = stage.quick ? SOCKETS_QUICK : SOCKETS
  stage.say(`with ${sockets} burdens; the last must be gone after ${longestMs / 1_000} s …`)
  const each = (1 - DEAF_SHARE) / (burdens.length - (stage.quick ? 0 : 1))
  const [during, ...closings] = await Promise.all([
    runOpenLoop({ origin, kinds, perSecond: PER_SECOND, seconds: stage.quick ? 8 : 20, patienceMs: 12_000 }),
    ...burdens.map((one) => endings(origin, one, Math.round(sockets * (one.share ?? each)), stage)),
  ])

  const acked = during.filter(({ status }) => status === 201).length
  const { stored, twice } = await countStored(databaseUrl, label)
  const lost = Math.max(0, acked - stored)
  const lateP99 = latenessOf(during)
  const closed = burdens.map(({ name, limitMs }, i) => ({ name, limitMs, ...closings[i] }))
  const [p99Before, p99During] = [p99Of(before), p99Of(during.filter(({ kind }) => kind === 'list'))]
  return {
    times: sockets,
    acked,
    lost,
    twice,
    failed: during.filter(({ status }) => status !== 200 && status !== 201).length,
    p99Before,
    p99During,
    lateP99,
    closed,
    broken: [
      ...byTheClock(stage, lateP99, MAX_LATE_MS, []),
      ...(lost > 0 ? [`${lost} confirmed pets are not stored`] : []),
      ...during
        .flatMap(({ status }) => (status === 200 || status === 201 ? [] : [`a healthy request got ${status}`]))
        .slice(0, 3),
      ...closed.flatMap(({ name, left }) =>
        left === 0 ? [] : [`${left} connections of the kind "${name}" are still open`],
      ),
    ],
  }
}

/** Opens this many, and watches when the service closes them. */
async function endings(
  origin: string,
  { name, begin, drip, isDeaf = false, limitMs }: Burden,
  count: number,
  stage: Stage,
) {
  const { hostname: host, port } = new URL(origin)
  /** When each was opened, by its port. */
  const open = new Map<number, { socket: Socket; begun: number }>()
  const openOne = async () => {
    const socket = connect({ host, port: Number(port), allowHalfOpen: true })
    socket.on('error', () => {}) // a reset is a way to be closed
    await once(socket, 'connect')
    open.set(socket.localPort ?? 0, { socket, begun: performance.now() })
    if (isDeaf) socket.pause()
    else socket.resume().on('end', () => socket.end())
    socket.write(begin)
  }
  await Promise.all(Array.from({ length: count }, openOne))
  const dripping = setInterval(() => {
    if (drip !== undefined) for (const { socket } of open.values()) if (socket.writable) socket.write(drip)
  }, 1_000)
  const lives: number[] = []
  const endsAt = performance.now() + limitMs + SLACK_MS
  while (open.size > 0 && performance.now() < endsAt) {
    await sleep(LOOK_MS)
    const kept = await keptByService()
    for (const [callerPort, { socket, begun }] of open) {
      // Its port may already belong to another connection, of a healthy client.
      if (kept.has(callerPort) && !socket.closed) continue
      lives.push(performance.now() - begun)
      socket.destroy()
      open.delete(callerPort)
    }
  }
  clearInterval(dripping)
  const left = open.size
  stage.say(`${name}: ${count - left} of ${count} closed`)
  for (const { socket } of open.values()) socket.destroy()
  return { left, p50: percentile(lives, 0.5), max: percentile(lives, 1) }
}

/** The ports of clients whose connections the service has not closed. A client that never reads does not notice by itself. */
async function keptByService() {
  const table = await readFile('/proc/net/tcp', 'utf8')
  // Local and remote address and port, and the state, where 01 is "established".
  const rows = table.matchAll(/^ *\d+: [0-9A-F]{8}:1F90 [0-9A-F]{8}:([0-9A-F]{4}) 01 /gm)
  return new Set(Array.from(rows, ([, callerPort = '']) => Number.parseInt(callerPort, 16)))
}

function p99Of(samples: Sample[]) {
  return percentile(
    samples.map(({ ms }) => ms),
    0.99,
  )
}
