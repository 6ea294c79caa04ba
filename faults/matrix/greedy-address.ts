import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { headOf, runOpenLoop } from '../open-loop/run.ts'
import { SERVICE_URL } from '../rig/balancer.ts'
import { CALLER_ADDRESSES } from '../rig/site.ts'
import { openStore, startBalancer, startServices } from '../store.ts'

/** As many as the balancer accepts in all, each idle after its first response; and some that send no request. */
const [IDLE, SILENT] = [4_000, 200]
const AT_ONCE = 200
/** What deploy/ha/haproxy.cfg allows one address. */
const MAX_HELD = 600
/** The requests without a key within 10 s beyond which it rejects one address. */
const [MAX_REQUESTS, FLOOD_S] = [500, 10]
const [FLOOD_CONNECTIONS, PIPELINED] = [20, 100]
const OTHERS_PER_SECOND = 20
const LIVEZ = headOf('GET', '/livez')
const REFUSAL = /^HTTP\/1\.1 429 .*\r\nretry-after: 10\r\n.*"code":"rate_limited".*"status":429\}$/is

export const greedyAddress: Fault = {
  name: 'greedy-address',
  injected: `${IDLE + SILENT} idle connections from one address; then as many requests as it can send`,
  invariant: `it holds at most ${MAX_HELD}, and is rejected with 429 and the Error body; every request from another address is served`,
  quick: true,
  run: beGreedy,
}

async function beGreedy(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting PostgreSQL, a process of the service and the balancer …')
  const { databaseUrl } = await openStore(stage, resources)
  await startServices(stage, resources, databaseUrl)
  await startBalancer(stage, resources)
  const [greedy = '', ...others] = CALLER_ADDRESSES

  stage.say(`${IDLE + SILENT} idle connections from one address …`)
  const held = new Set<Socket>()
  const release = () => {
    for (const socket of held) socket.destroy()
  }
  resources.defer(release)
  const refusals: string[] = []
  for (let opened = 0; opened < IDLE + SILENT; opened += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => hold(greedy, opened < IDLE, held, refusals)))
  const besideIdle = await callFrom(others)
  const holds = held.size

  stage.say('as many requests from it as it can send …')
  release()
  const [flood, besideFlood] = await Promise.all([floodFrom(greedy), callFrom(others, FLOOD_S)])

  const calls = [...besideIdle, ...besideFlood]
  const failed = calls.filter(({ status }) => status !== 200).length
  const odd = refusals.filter((text) => !REFUSAL.test(text))
  return {
    times: 1,
    acked: 0,
    lost: 0,
    twice: 0,
    failed,
    calls: calls.length,
    held: holds,
    refusedConnections: IDLE + SILENT - holds,
    refusals: refusals.length,
    flood,
    broken: [
      ...(failed > 0 ? [`${failed} of ${calls.length} requests from other addresses were not served`] : []),
      ...(holds > MAX_HELD ? [`one address holds ${holds} connections`] : []),
      ...(refusals.length === 0 ? ['no connection was rejected with a response'] : []),
      ...(odd[0] === undefined ? [] : [`${odd.length} rejections do not have the Error body, like ${odd[0]}`]),
      ...(flood.refused === 0 ? ['no request of the flood was rejected'] : []),
      ...(flood.answered > MAX_REQUESTS + FLOOD_CONNECTIONS
        ? [`${flood.answered} requests of the flood were served`]
        : []),
    ],
  }
}

/** Opens a connection, sends one request if `isAsking`, and keeps it as long as the server does. */
async function hold(localAddress: string, isAsking: boolean, held: Set<Socket>, refusals: string[]) {
  const { hostname: host, port } = new URL(SERVICE_URL)
  const socket = connect({ host, port: Number(port), localAddress }).setEncoding('latin1')
  let received = ''
  held.add(socket)
  socket.on('error', () => {}) // a reset is one way to be rejected
  socket.on('data', (text: unknown) => {
    received += String(text)
  })
  socket.on('close', () => {
    held.delete(socket)
    if (received.startsWith('HTTP/1.1 4')) refusals.push(received)
  })
  if (isAsking) socket.write(LIVEZ)
  const settled = Promise.withResolvers<void>()
  for (const event of [isAsking ? 'data' : 'connect', 'close']) socket.once(event, () => settled.resolve())
  await Promise.race([settled.promise, sleep(2_000)])
}

/** Until each of its connections was rejected, or the time is over. */
async function floodFrom(localAddress: string) {
  const { hostname: host, port } = new URL(SERVICE_URL)
  const counts = { answered: 0, refused: 0 }
  const sockets = Array.from({ length: FLOOD_CONNECTIONS }, () => {
    const socket = connect({ host, port: Number(port), localAddress }).setEncoding('latin1')
    let [awaited, cut] = [0, '']
    const send = () => {
      awaited += PIPELINED
      socket.write(LIVEZ.repeat(PIPELINED))
    }
    socket.on('error', () => {}) // requests sent before the rejection arrives cause a reset
    socket.on('data', (text: unknown) => {
      const received = `${cut}${String(text)}`
      cut = received.slice(1 - 'HTTP/1.1 200 '.length)
      const statuses = Array.from(received.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => status)
      counts.answered += statuses.filter((status) => status === '200').length
      counts.refused += statuses.filter((status) => status === '429').length
      awaited -= statuses.length
      if (awaited === 0) send()
    })
    send()
    return socket
  })
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  await Promise.race([Promise.all(closed), sleep(FLOOD_S * 1_000)])
  for (const socket of sockets) socket.destroy()
  return counts
}

async function callFrom(from: string[], seconds = 2) {
  const kinds = [{ name: 'livez', bytes: LIVEZ }]
  return await runOpenLoop({
    origin: SERVICE_URL,
    kinds,
    perSecond: OTHERS_PER_SECOND,
    seconds,
    from,
  })
}
