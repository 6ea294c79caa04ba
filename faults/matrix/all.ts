import type { Fault } from '../fault.ts'
import { underLoad } from '../under-load.ts'
import { diskFull } from './disk-full.ts'
import { freeze } from './freeze.ts'
import { partitionBalancer, partitionEtcd, partitionPrimary, partitionStandby, replicationCut } from './partition.ts'
import { powerOff } from './power-off.ts'
import { primaryKill } from './primary-kill.ts'
import { rollingRestart, serviceKill } from './services.ts'
import { soakOf } from './soak.ts'
import { standbyFreeze } from './standby-freeze.ts'
import { switchover } from './switchover.ts'

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

/** In the order in which a run of all goes through them. */
export const FAULTS: Fault[] = [...[...OF_CLUSTER, ...OF_SERVICE].map(underLoad), soakOf(OF_CLUSTER)]
