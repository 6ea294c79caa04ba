import type { Stage } from './fault.ts'
import type { ClusterOptions } from './rig/cluster.ts'

/** Something that is left out on purpose, to see that the checker finds what comes of it. */
export interface Break {
  about: string
  /** The fault that shows it. */
  fault: string
  times?: number
  /** What the checker must count, if it is not blind. */
  shows: 'lost' | 'twice'
  cluster?: Partial<ClusterOptions>
  stage?: Partial<Stage>
}

export const BREAKS: Record<string, Break> = {
  sync: {
    about: 'no commit waits for a standby, so that what the primary alone has is lost with it',
    fault: 'replication-cut',
    times: 1,
    shows: 'lost',
    cluster: { synchronous: false },
  },
  etcd3: {
    about: 'Patroni speaks to etcd by its v3 driver, by which a primary that was frozen takes the lead back',
    fault: 'freeze',
    times: 1,
    shows: 'lost',
    cluster: { driver: 'etcd3' },
  },
  keys: {
    about: 'calls carry no Idempotency-Key, so that a retry adds the pet again',
    // Of every hundred answers ten are lost, so that there are doubles each time.
    fault: 'lost-acks',
    shows: 'twice',
    stage: { keyed: false, quick: true },
  },
}
