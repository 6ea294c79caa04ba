import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSeconds } from '../processes.ts'
import { markdownTable, whole } from '../report.ts'
import { log } from '../rig.ts'
import { deliverFor, type WebhookRig } from './rig.ts'
import { behind, endOfFeed, moveWebhooks } from './rows.ts'

export interface CapacityPlan {
  /** How many events all endpoints are behind. */
  backlog: number
  /** How many processes deliver, one measurement each. */
  processes: number[]
  warmSeconds: number
  seconds: number
}

/** How much processes deliver that have as much to do as they can. */
export interface Capacity {
  processes: number
  perSecond: number
  /** Seconds of CPU in a second: of all processes that deliver, of the receiver, and of PostgreSQL. */
  cpuDeliver: number
  cpuReceiver: number
  cpuDatabase: number
}

/** How many deliveries a second are possible, on the machine of the receiver and of PostgreSQL. */
export async function measureCapacity(rig: WebhookRig, ids: string[], plan: CapacityPlan): Promise<Capacity[]> {
  log(`adding ${whole(plan.backlog)} events …`)
  const position = await endOfFeed(rig.database)
  await rig.writer.addBacklog(plan.backlog)
  const capacities: Capacity[] = []
  for (const processes of plan.processes) {
    await moveWebhooks(rig.database, ids, position)
    const capacity = await measureOnce(rig, processes, plan)
    if (Math.min(...(await behind(rig.database, ids))) <= 0) throw new Error('the backlog was too short')
    log(`${processes} deliver: ${whole(capacity.perSecond)} deliveries a second`)
    capacities.push(capacity)
  }
  return capacities
}

async function measureOnce(
  rig: WebhookRig,
  processes: number,
  { warmSeconds, seconds }: CapacityPlan,
): Promise<Capacity> {
  await using resources = new AsyncDisposableStack()
  const { receiver, postgresPid } = rig
  const started = await Promise.all(Array.from({ length: processes }, () => deliverFor(rig)))
  for (const one of started) resources.use(one)
  const pids = started.map(({ pid }) => pid)
  const usage = async () => ({
    at: performance.now(),
    accepted: (await receiver.count()).accepted,
    deliver: pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    receiver: cpuSeconds(receiver.pid),
    database: cpuSeconds(postgresPid),
  })
  await sleep(warmSeconds * 1_000)
  const before = await usage()
  await sleep(seconds * 1_000)
  const after = await usage()
  const each = (name: 'accepted' | 'deliver' | 'receiver' | 'database') =>
    (1_000 * (after[name] - before[name])) / (after.at - before.at)
  return {
    processes,
    perSecond: each('accepted'),
    cpuDeliver: each('deliver'),
    cpuReceiver: each('receiver'),
    cpuDatabase: each('database'),
  }
}

/** What was missed, as sentences: `least` is how many deliveries a second one process must reach. */
export function missedCapacity(capacities: Capacity[], least: number) {
  return capacities
    .filter(({ perSecond }) => !(perSecond >= least))
    .map(
      ({ processes, perSecond }) =>
        `${processes} deliver: ${whole(perSecond)} deliveries a second, not ${whole(least)}`,
    )
}

export function capacityTable(capacities: Capacity[]) {
  return markdownTable(
    ['`deliver` processes', 'deliveries /s', 'CPU deliver', 'CPU receiver', 'CPU PostgreSQL'],
    capacities.map(({ processes, perSecond, cpuDeliver, cpuReceiver, cpuDatabase }) => [
      String(processes),
      whole(perSecond),
      ...[cpuDeliver, cpuReceiver, cpuDatabase].map((share) => `${(100 * share).toFixed(0)} %`),
    ]),
  )
}
