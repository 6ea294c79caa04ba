import type { Fault } from '../fault.ts'
import { underLoad } from '../under-load.ts'
import { deliverKill } from './deliver-kill.ts'
import { diskFull } from './disk-full.ts'
import { failpoints } from './failpoints.ts'
import { feed } from './feed.ts'
import { freeze } from './freeze.ts'
import { greedyAddress } from './greedy-address.ts'
import { hostile } from './hostile.ts'
import { intruder } from './intruder.ts'
import { latency } from './latency.ts'
import { logDisk } from './log-disk.ts'
import { lostAcks } from './lost-acks.ts'
import { malformed } from './malformed.ts'
import { migration } from './migration.ts'
import { mirror } from './mirror.ts'
import { oneBuyer } from './one-buyer.ts'
import { orders } from './orders.ts'
import { overload } from './overload.ts'
import { partitionBalancer, partitionEtcd, partitionPrimary, partitionStandby, replicationCut } from './partition.ts'
import { pool } from './pool.ts'
import { powerOff } from './power-off.ts'
import { primaryKill } from './primary-kill.ts'
import { racingEdits } from './racing-edits.ts'
import { rateLimit } from './rate-limit.ts'
import { restore, totalLoss } from './restore.ts'
import { sandbox } from './sandbox.ts'
import { rollingRestart, serviceKill } from './services.ts'
import { slowClients } from './slow-clients.ts'
import { soakOf } from './soak.ts'
import { standbyFreeze } from './standby-freeze.ts'
import { switchover } from './switchover.ts'
import { upgrade } from './upgrade.ts'
import { writeFailpoints } from './write-failpoints.ts'

const OF_CLUSTER = [
  primaryKill,
  powerOff,
  freeze,
  replicationCut,
  partitionPrimary,
  partitionStandby,
  partitionEtcd,
  partitionBalancer,
  standbyFreeze,
  switchover,
  diskFull,
]
const OF_SERVICE = [serviceKill, rollingRestart]
/** They need no cluster. First, because their own processes use the addresses of the rig's. */
const WITHOUT_CLUSTER: Fault[] = [
  lostAcks,
  failpoints,
  writeFailpoints,
  oneBuyer,
  racingEdits,
  mirror,
  deliverKill,
  pool,
  overload,
  rateLimit,
  latency,
  migration,
  slowClients,
  greedyAddress,
  hostile,
  malformed,
  logDisk,
  sandbox,
  upgrade,
]

/** In the order in which a run of all goes through them. */
export const FAULTS: Fault[] = [
  ...WITHOUT_CLUSTER,
  ...[...OF_CLUSTER, ...OF_SERVICE].map(underLoad),
  orders,
  feed,
  intruder,
  restore,
  totalLoss,
  soakOf(OF_CLUSTER),
]
