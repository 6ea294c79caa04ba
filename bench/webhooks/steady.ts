import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { percentiles } from '../measure.ts'
import { cpuSeconds } from '../processes.ts'
import { markdownTable, whole } from '../report.ts'
import { log } from '../rig.ts'
import { deliveriesOf } from './deliveries.ts'
import { untilNumbered } from './events.ts'
import type { Endpoint } from './receiver.ts'
import { deliverFor, type WebhookRig } from './rig.ts'
import { behind, endOfFeed, endpointOf, insertWebhooks, resumeWebhooks, untilCaughtUp } from './rows.ts'

export interface SteadyPlan {
  endpoints: number
  /** How many of them fail now and then, fail always, and respond late, until the events end. */
  troubled: [failing: number, down: number, late: number]
  perSecond: number
  seconds: number
  /** For how long the same events are measured before there is a webhook. */
  calmSeconds: number
}

/** What became of events that every endpoint was to receive. */
export interface Steady {
  endpoints: number
  healthy: number
  troubled: number
  events: number
  /** A second, while events came. */
  perSecond: number
  /** Of all endpoints but the dead one, once they had recovered. */
  delivered: number
  lost: number
  disordered: number
  again: number
  verified: number
  wrong: string[]
  /** From the time of an event until a healthy endpoint had it, in milliseconds. */
  p50: number
  p99: number
  /** Seconds after the troubles had ended; undefined if some were still behind after minutes. */
  recoveredSeconds: number | undefined
  /** Events that the dead endpoint is behind: all of them. */
  deadBehind: number
  /** Microseconds for each delivery; of PostgreSQL, beyond what the events cost without webhooks. */
  cpuDeliver: number
  cpuDatabase: number
  cpuReceiver: number
}

const TROUBLES: Partial<Endpoint>[] = [{ failRate: 0.02 }, { failRate: 1 }, { delayMs: 3_000 }]
const RECOVERED_WITHIN_MS = 300_000

/** Events at a steady pace for all endpoints, of which some fail or respond late, and one accepts connections and says nothing. */
export async function measureSteady(rig: WebhookRig, plan: SteadyPlan): Promise<Steady> {
  await using resources = new AsyncDisposableStack()
  const { database, receiver, writer } = rig
  const { perSecond, seconds, calmSeconds } = plan
  log(`${perSecond} events a second without webhooks …`)
  const calm = await cpuWhile([rig.postgresPid], () => writer.addAtPace(perSecond, calmSeconds))

  const [dead, ...alive] = Array.from({ length: plan.endpoints }, (_, i) => endpointOf(i)) as [Endpoint, ...Endpoint[]]
  const troubles = TROUBLES.flatMap((trouble, kind) => Array.from({ length: plan.troubled[kind] ?? 0 }, () => trouble))
  const troubled = troubles.map((trouble, i) => ({ ...(alive[i] as Endpoint), ...trouble }))
  const healthy = alive.slice(troubled.length)
  await receiver.set([...troubled, ...healthy])
  const position = await endOfFeed(database)
  const aliveIds = alive.map(({ name }) => name)
  await insertWebhooks(
    database,
    [
      ...alive.map((one) => ({ id: one.name, url: receiver.urlOf(one) })),
      { id: dead.name, url: await silent(resources) },
    ],
    position,
  )
  const deliver = resources.use(await deliverFor(rig))

  log(`${perSecond} events a second to ${plan.endpoints} endpoints for ${seconds} s …`)
  const before = await receiver.count()
  const begun = performance.now()
  const cpu = await cpuWhile([deliver.pid, rig.postgresPid, receiver.pid], () => writer.addAtPace(perSecond, seconds))
  const tookSeconds = (performance.now() - begun) / 1_000
  const accepted = (await receiver.count()).accepted - before.accepted
  await untilNumbered(database, position.sequence + cpu.result)

  log('the endpoints recover …')
  await receiver.set(alive)
  await resumeWebhooks(database, aliveIds)
  const recoveredSeconds = await untilCaughtUp(database, aliveIds, 0, RECOVERED_WITHIN_MS)
  const received = await receiver.take()
  const range = [position.sequence, (await endOfFeed(database)).sequence] as const
  const { lags } = deliveriesOf(
    received,
    healthy.map(({ name }) => name),
    range,
  )
  const { lags: _, ...deliveries } = deliveriesOf(received, aliveIds, range)
  const [deadBehind = Number.NaN] = await behind(database, [dead.name])
  const { verified, wrong } = await receiver.count()
  const [cpuDeliver = 0, cpuDatabase = 0, cpuReceiver = 0] = cpu.seconds
  const calmDatabase = ((calm.seconds[0] ?? 0) / calmSeconds) * tookSeconds
  const each = (used: number) => (used * 1e6) / accepted
  return {
    endpoints: plan.endpoints,
    healthy: healthy.length,
    troubled: troubled.length,
    events: range[1] - range[0],
    perSecond: accepted / tookSeconds,
    ...deliveries,
    verified,
    wrong,
    ...percentiles(lags),
    recoveredSeconds,
    deadBehind,
    cpuDeliver: each(cpuDeliver),
    cpuDatabase: each(cpuDatabase - calmDatabase),
    cpuReceiver: each(cpuReceiver),
  }
}

/** Seconds of CPU that each of these processes uses meanwhile. */
async function cpuWhile<Result>(pids: number[], work: () => Promise<Result>) {
  const before = pids.map(cpuSeconds)
  const result = await work()
  return { result, seconds: pids.map((pid, i) => cpuSeconds(pid) - (before[i] ?? 0)) }
}

/** The URL of an endpoint that accepts connections and never says anything. */
async function silent(resources: AsyncDisposableStack) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    resources.defer(() => void socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  resources.defer(() => void server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** What was missed, as sentences. */
export function missedSteady(steady: Steady, mostP99: number) {
  const { lost, disordered, wrong, verified, p99, recoveredSeconds, deadBehind, events } = steady
  return [
    ...(lost === 0 ? [] : [`${whole(lost)} events were not delivered`]),
    ...(disordered === 0 ? [] : [`${whole(disordered)} events came in another order than the versions of their pet`]),
    ...(verified > 0 ? [] : ['no signature was verified']),
    ...(wrong.length === 0 ? [] : [`${whole(wrong.length)} requests were wrong, as this one: ${wrong[0] ?? ''}`]),
    ...(p99 <= mostP99 ? [] : [`healthy endpoints have an event after ${p99.toFixed(0)} ms (p99), not ${mostP99}`]),
    ...(recoveredSeconds === undefined ? ['endpoints that had recovered were still behind after minutes'] : []),
    ...(deadBehind === events ? [] : [`a dead endpoint is ${deadBehind} events behind, not ${events}`]),
  ]
}

export function steadyTable(steady: Steady) {
  const { endpoints, troubled, perSecond, delivered, lost, disordered, again, p50, p99, recoveredSeconds } = steady
  const { cpuDeliver, cpuDatabase, cpuReceiver } = steady
  return markdownTable(
    [
      'endpoints',
      'failing or late',
      'deliveries /s',
      'delivered',
      'lost',
      'out of order',
      'again',
      'lag p50',
      'lag p99',
      'recovered after',
      'CPU deliver',
      'CPU PostgreSQL',
      'CPU receiver',
    ],
    [
      [
        String(endpoints),
        `${troubled} + 1`,
        ...[perSecond, delivered, lost, disordered, again].map(whole),
        ...[p50, p99].map((ms) => `${ms.toFixed(0)} ms`),
        recoveredSeconds === undefined ? 'never' : `${recoveredSeconds.toFixed(0)} s`,
        ...[cpuDeliver, cpuReceiver].map((us) => `${us.toFixed(0)} µs`).toSpliced(1, 0, `${cpuDatabase.toFixed(1)} µs`),
      ],
    ],
  )
}
