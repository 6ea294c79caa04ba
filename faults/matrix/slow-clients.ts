import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { createOf, headOf, runOpenLoop, type Sample } from '../open-loop/run.ts'
import { openStore, startServices } from '../store.ts'
import { countStored } from '../stored.ts'
import { percentile } from '../under-load.ts'

/** A way to be a burden, and by when the service must have got rid of it, by its own limits. */
interface Burden {
  name: string
  begin: string
  /** Sent again every second. */
  drip?: string
  /** It asks, and never reads. */
  isDeaf?: boolean
  /** What the service's limits say: 4 s for a request to arrive whole, 72 s for a connection on which nothing moves. */
  limitMs: number
}

const [SOCKETS, SOCKETS_QUICK] = [2_000, 400]
const SLACK_MS = 5_000
const PER_SECOND = 200
const ARRIVAL_MS = 4_000
const SILENCE_MS = 72_000

export const slowClients: Fault = {
  name: 'slow-clients',
  injected: '2,000 connections that say nothing, send a byte a second, or never read their answers',
  invariant: 'all closed within 5 s of what the limits say; all others are served as before',
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
    // Enough answers to fill every buffer on the way.
    { name: 'never reads', begin: list.repeat(400), isDeaf: true, limitMs: SILENCE_MS },
  ]
  return isQuick ? burdens.filter(({ limitMs }) => limitMs === ARRIVAL_MS) : burdens
}

async function burden(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting PostgreSQL and a process of the service …')
  const { databaseUrl, key } = await openStore(stage, resources)
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
  const each = Math.floor(sockets / burdens.length)
  const [during, ...closings] = await Promise.all([
    runOpenLoop({ origin, kinds, perSecond: PER_SECOND, seconds: stage.quick ? 8 : 20 }),
    ...burdens.map((one) => endings(origin, one, each, stage)),
  ])

  const acked = during.filter(({ status }) => status === 201).length
  const { stored, twice } = await countStored(databaseUrl, label)
  const lost = Math.max(0, acked - stored)
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
    closed,
    broken: [
      ...(lost > 0 ? [`${lost} confirmed pets are not stored`] : []),
      ...during
        .flatMap(({ status }) => (status === 200 || status === 201 ? [] : [`a healthy call got ${status}`]))
        .slice(0, 3),
      ...closed.flatMap(({ name, left }) =>
        left === 0 ? [] : [`${left} connections of the kind "${name}" are still open`],
      ),
    ],
  }
}

/** Opens this many, and looks when they are closed. */
async function endings(origin: string, { begin, drip, isDeaf = false, limitMs }: Burden, count: number, stage: Stage) {
  const { hostname: host, port } = new URL(origin)
  const lives: number[] = []
  const open = new Set<Socket>()
  for (let i = 0; i < count; i++) {
    const socket = connect({ host, port: Number(port), allowHalfOpen: true })
    const begun = performance.now()
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      lives.push(performance.now() - begun)
    })
    if (isDeaf) socket.pause()
    else socket.resume().on('end', () => socket.end())
    socket.write(begin)
    if (i % 50 === 0) await sleep(10) // not so fast that the system refuses them
  }
  const dripping = setInterval(() => {
    if (drip !== undefined) for (const socket of open) if (socket.writable) socket.write(drip)
  }, 1_000)
  const endsAt = performance.now() + limitMs + SLACK_MS
  while (open.size > 0 && performance.now() < endsAt) {
    await sleep(100)
  }
  clearInterval(dripping)
  const left = open.size
  stage.say(`${count - left} of ${count} closed: ${JSON.stringify(begin.slice(0, 20))}`)
  for (const socket of open) socket.destroy()
  return { left, p50: percentile(lives, 0.5), max: percentile(lives, 1) }
}

function p99Of(samples: Sample[]) {
  return percentile(
    samples.map(({ ms }) => ms),
    0.99,
  )
}
