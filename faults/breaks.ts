import type { Stage } from './fault.ts'
import type { ClusterOptions } from './rig/cluster.ts'

/** A safeguard that is disabled on purpose, to see that the checker detects the damage. */
export interface Break {
  about: string
  /** The fault that shows it. */
  fault: string
  times?: number
  /** What the checker must count. */
  shows: 'lost' | 'twice'
  cluster?: Partial<ClusterOptions>
  stage?: Partial<Stage>
}

export const BREAKS: Record<string, Break> = {
  sync: {
    about: 'commits do not wait for a standby, so that commits that only the primary has are lost with it',
    fault: 'replication-cut',
    times: 1,
    shows: 'lost',
    cluster: { synchronous: false },
  },
  etcd3: {
    about: 'Patroni uses the v3 driver for etcd, with which a frozen primary becomes leader again',
    fault: 'freeze',
    times: 1,
    shows: 'lost',
    cluster: { driver: 'etcd3' },
  },
  keys: {
    about: 'requests carry no Idempotency-Key, so that a retry adds the pet again',
    // Ten of a hundred responses are lost, so duplicates are certain.
    fault: 'lost-acks',
    shows: 'twice',
    stage: { keyed: false, quick: true },
  },
}
