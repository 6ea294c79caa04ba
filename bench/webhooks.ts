import pg from 'pg'
import { setUpStore } from './rig.ts'
import type { Scenario } from './scenario.ts'
import { startService } from './service.ts'
import { type CapacityPlan, capacityTable, measureCapacity, missedCapacity } from './webhooks/capacity.ts'
import { type CatchUpPlan, catchUpTable, measureCatchUp, missedCatchUp } from './webhooks/catch-up.ts'
import { EventWriter } from './webhooks/events.ts'
import { Receiver } from './webhooks/receiver.ts'
import { idOf } from './webhooks/rows.ts'
import { measureSteady, missedSteady, type SteadyPlan, steadyTable } from './webhooks/steady.ts'

interface Plan {
  steady: SteadyPlan
  capacity: CapacityPlan
  catchUp: CatchUpPlan
  targets: Targets
}

interface Targets {
  /** Of a healthy endpoint's events, in milliseconds. */
  lagP99: number
  /** Deliveries a second. */
  leastPerSecond: number
}

// Few enough that several events of a pet are often to be delivered at the same time.
const PETS = 1_000
const FULL: Plan = {
  steady: { endpoints: 100, troubled: [4, 3, 3], perSecond: 20, seconds: 300, calmSeconds: 30 },
  capacity: { backlog: 4_000, processes: [1, 2], warmSeconds: 10, seconds: 30 },
  catchUp: { behind: 360_000, perSecond: 100, mostSeconds: 600 },
  targets: { lagP99: 2_000, leastPerSecond: 2_000 },
}
const QUICK: Plan = {
  steady: { endpoints: 20, troubled: [1, 1, 1], perSecond: 20, seconds: 15, calmSeconds: 5 },
  capacity: { backlog: 5_000, processes: [1, 2], warmSeconds: 4, seconds: 5 },
  catchUp: { behind: 10_000, perSecond: 100, mostSeconds: 60 },
  // Wide, since CI machines have other load.
  targets: { lagP99: 5_000, leastPerSecond: 300 },
}

/** Whether every endpoint gets every event, how soon, and how many deliveries are possible. */
export const webhooks: Scenario = async (resources, { quick }) => {
  const plan = quick ? QUICK : FULL
  const { databaseUrl, postgresPid } = await setUpStore(resources, 0)
  resources.use(await startService(databaseUrl, 1))
  const receiver = resources.use(await Receiver.start())
  const database = new pg.Client(databaseUrl)
  await database.connect()
  resources.defer(() => database.end())
  const rig = { databaseUrl, database, postgresPid, receiver, writer: new EventWriter(database, PETS) }

  const steady = await measureSteady(rig, plan.steady)
  // The first is the dead one.
  const ids = Array.from({ length: plan.steady.endpoints - 1 }, (_, i) => idOf(i + 1))
  const capacities = await measureCapacity(rig, ids, plan.capacity)
  const catchUp = await measureCatchUp(rig, idOf(1), plan.catchUp)
  const { targets } = plan
  return {
    setting: `${plan.steady.endpoints} endpoints`,
    figures: [steadyTable(steady), capacityTable(capacities), catchUpTable(catchUp)].join('\n\n'),
    data: { steady, capacities, catchUp },
    missed: [
      ...missedSteady(steady, targets.lagP99),
      ...missedCapacity(capacities, targets.leastPerSecond),
      ...missedCatchUp(catchUp, plan.catchUp.mostSeconds),
    ],
  }
}
