import type { Stage } from './fault.ts'
import type { ClusterOptions } from './rig/cluster.ts'

/** Something that is left out on purpose, to see that the checker finds what comes of it. */
export interface Break {
  about: string
  /** The fault that shows it. */
  fault: string
  times: number
  cluster?: Partial<ClusterOptions>
  stage?: Partial<Stage>
}

export const BREAKS: Record<string, Break> = {
  sync: {
    about: 'no commit waits for a standby, so that what the primary alone has is lost with it',
    fault: 'replication-cut',
    times: 1,
    cluster: { synchronous: false },
  },
  etcd3: {
    about: 'Patroni speaks to etcd by its v3 driver, by which a primary that was frozen takes the lead back',
    fault: 'freeze',
    times: 1,
    cluster: { driver: 'etcd3' },
  },
  keys: {
    about: 'calls carry no Idempotency-Key, so that a retry adds the pet again',
    // Whether a call is just being answered when the wire is cut is a matter of luck.
    fault: 'partition-balancer',
    times: 5,
    stage: { keyed: false },
  },
}
