import { setTimeout as sleep } from 'node:timers/promises'
import { createPetstore } from '../../packages/client/src/index.ts'
import { unfoundOf } from '../check.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { Buyers } from '../orders/buyers.ts'
import { brokenRules, countsOf, judge } from '../orders/judge.ts'
import { differencesToLists } from '../orders/listed.ts'
import { acknowledgedIn } from '../orders/record.ts'
import { readShop } from '../orders/stored.ts'
import { brokenRejections, brokenSearches, countsByCode } from '../promises.ts'
import type { Rig } from '../rig/rig.ts'
import { until } from '../rig/until.ts'
import { query } from '../stored.ts'
import { type Injection, percentile, playRound } from '../under-load.ts'
import { freeze } from './freeze.ts'
import { partitionPrimary, replicationCut } from './partition.ts'
import { powerOff } from './power-off.ts'
import { primaryKill } from './primary-kill.ts'
import { serviceKill } from './services.ts'
import { switchover } from './switchover.ts'

/** Each in turn. The first is the one that loses what no standby has. */
const INJECTIONS = [
  replicationCut,
  serviceKill,
  primaryKill,
  switchover,
  freeze,
  serviceKill,
  powerOff,
  partitionPrimary,
]
const INJECTIONS_QUICK = [serviceKill, primaryKill, switchover]
const [TIMES, ORDERS] = [24, 100_000]
const ORDERS_QUICK = 2_000
/** By O8, and then what a busy machine takes. */
const EXPIRED_WITHIN_MS = 10_000
const READ_WITHIN_MS = 60_000
const SAY_EVERY_MS = 10_000

const OVERSELL = `
  create function oversell() returns trigger language plpgsql as $$
  begin
    new.status := 'available';
    new.held_by := null;
    return new;
  end $$;
  create trigger oversell before update on pets for each row when (new.held_by is not null and new.id % 10 = 0)
  execute function oversell()`

export const orders: Fault = {
  name: 'orders',
  injected:
    'kills, power-offs, freezes, partitions and switchovers in turn, while 64 buyers compete for pets, complete, cancel and forget orders',
  invariant:
    'no order lost, no pet sold or held twice, none held without its order, no placed order without its pet, no version goes back; renamed pets are found by their names',
  quick: true,
  run: sellUnderFaults,
}

async function sellUnderFaults(stage: Stage): Promise<Outcome> {
  const rig = await stage.rig()
  const injections = stage.quick ? INJECTIONS_QUICK : INJECTIONS
  const times = stage.times ?? (stage.quick ? injections.length : TIMES)
  const least = stage.times !== undefined ? 0 : stage.quick ? ORDERS_QUICK : ORDERS
  const label = `orders ${Date.now()}`
  if (stage.oversells) await query(rig.databaseUrl, OVERSELL)
  const buyers = await Buyers.start({ baseUrl: rig.baseUrl, key: rig.key, label })
  const { calls, record } = buyers
  const [outages, broken]: [number[], string[]] = [[], []]
  for (let number = 1; number <= times; number++) {
    const injection = injections[(number - 1) % injections.length] as Injection
    const broke = (sentence: string) => broken.push(`round ${number}, ${injection.name}: ${sentence}`)
    const played = await playRound(rig, calls, injection, { number, others: undefined, broke })
    if (played === undefined) break
    outages.push(played.outageMs)
    stage.say(`${number} of ${times}, ${injection.name}: ${played.summary}, ${record.placed.length} orders so far`)
  }
  for (let saidAt = 0; broken.length === 0 && record.placed.length < least; await sleep(100)) {
    if (performance.now() - saidAt < SAY_EVERY_MS) continue
    saidAt = performance.now()
    stage.say(`${record.placed.length} of ${least} orders`)
  }
  await buyers.stop()
  const failed = [...calls.failed, ...buyers.reads.failed]

  const overdue = await waitForExpiry(rig)
  const stored = await until('what is stored can be read', READ_WITHIN_MS, () => readShop(rig.databaseUrl, label))
  const violations = judge(record, stored)
  const listed = await differencesToLists(createPetstore({ baseUrl: rig.baseUrl, key: rig.key }), stored)
  const unfound = await unfoundOf(rig, label)
  return {
    times: outages.length,
    acked: acknowledgedIn(record),
    ...countsOf(violations),
    unfound: unfound.length,
    failed: failed.length,
    ...(failed.length > 0 ? { failedBy: countsByCode({ failed }) } : {}),
    outageMs: { p50: percentile(outages, 0.5), max: percentile(outages, 1) },
    orders: { stored: stored.orders.length, ...countBy(stored.orders.map(({ status }) => status)) },
    rejected: calls.rejected,
    versionsSeen: record.seen.length,
    broken: [
      ...brokenRules(violations),
      ...brokenSearches(unfound),
      ...(listed[0] ? [`the lists differ from what is stored in ${listed.length} places: ${listed[0]}`] : []),
      ...overdue,
      ...broken,
      ...brokenRejections({ failed, withoutRetryAfter: () => buyers.withoutRetryAfter }),
    ],
  }
}

/** Until no order is open whose time is up, or will be soon. */
export async function waitForExpiry({ databaseUrl }: Pick<Rig, 'databaseUrl'>) {
  try {
    await until('all orders whose time was up have expired', EXPIRED_WITHIN_MS, async () => {
      const due = `select from orders where status = 'placed' and expires_at < now() + interval '1 day' limit 1`
      return (await query(databaseUrl, due)).length === 0
    })
    return []
  } catch (error) {
    return [String(error)]
  }
}

function countBy(values: string[]) {
  return Object.fromEntries(
    Array.from(
      Map.groupBy(values, (value) => value),
      ([value, all]) => [value, all.length],
    ),
  )
}
