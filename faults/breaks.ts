import type { Stage } from './fault.ts'
import type { ClusterOptions } from './rig/cluster.ts'

/** A safeguard that is disabled on purpose, to see that the checker detects the damage. */
export interface Break {
  about: string
  /** The fault that shows it. */
  fault: string
  /**
   * How many runs of the fault, one round each, the checker has to find it; the first that shows it ends the search. What is
   * checked is that a loss can be seen at all. Even if a round showed it only half of the time, ten would miss it once in a thousand.
   */
  mostRuns: number
  /** What the checker must count, if it is not blind. */
  shows: 'lost' | 'twice' | 'moved' | 'unfound' | 'failed'
  cluster?: Partial<ClusterOptions>
  stage?: Partial<Stage>
}

export const BREAKS: Record<string, Break> = {
  sync: {
    about: 'commits do not wait for a standby, so that commits that only the primary has are lost with it',
    fault: 'replication-cut',
    mostRuns: 10,
    shows: 'lost',
    cluster: { synchronous: false },
    stage: { times: 1 },
  },
  etcd3: {
    about: 'Patroni uses the v3 driver for etcd, with which a frozen primary becomes leader again',
    fault: 'freeze',
    mostRuns: 10,
    shows: 'lost',
    cluster: { driver: 'etcd3' },
    stage: { times: 1 },
  },
  keys: {
    about: 'requests carry no Idempotency-Key, so that a retry adds the pet again',
    // Of every hundred responses ten are lost, so that there are hundreds of duplicates in every run.
    fault: 'lost-acks',
    mostRuns: 1,
    shows: 'twice',
    stage: { keyed: false, quick: true },
  },
  orders: {
    about: 'commits do not wait for a standby, so that orders that only the primary has are lost with it',
    fault: 'orders',
    mostRuns: 10,
    shows: 'lost',
    cluster: { synchronous: false },
    // The first fault of the long form cuts replication.
    stage: { times: 1 },
  },
  oversell: {
    about: 'a trigger releases one in ten pets as soon as an order holds it, so that two buyers get it',
    fault: 'orders',
    mostRuns: 1,
    shows: 'twice',
    stage: { times: 1, quick: true, oversells: true },
  },
  feed: {
    about:
      'a trigger makes the sequencer forget the transactions in progress, as a reader by ids does, so that events are left out',
    fault: 'feed',
    mostRuns: 1,
    shows: 'lost',
    stage: { times: 1, quick: true, skipsEvents: true },
  },
  'feed-early': {
    about: 'commits do not wait for a standby, so that readers see events that are lost with the primary',
    fault: 'feed',
    mostRuns: 10,
    shows: 'moved',
    cluster: { synchronous: false },
    // The first fault of the long form cuts replication.
    stage: { times: 1 },
  },
  deliver: {
    about: 'a trigger stores events as delivered before they are, so that those are left out after a kill',
    fault: 'deliver-kill',
    mostRuns: 1,
    shows: 'lost',
    stage: { quick: true, storesEarly: true },
  },
  words: {
    about: 'a trigger drops the words of one in a hundred pets, so that they are stored and not found by their names',
    fault: 'lost-acks',
    mostRuns: 1,
    shows: 'unfound',
    stage: { quick: true, losesWords: true },
  },
  places: {
    about: 'both stores of a process share its places, so that requests of a slow one take those of the other',
    fault: 'sandbox',
    mostRuns: 1,
    shows: 'failed',
    stage: { quick: true, sharesPlaces: true },
  },
  drain: {
    about: 'processes are replaced without their drain, so that requests in flight fail',
    fault: 'upgrade',
    mostRuns: 3,
    shows: 'failed',
    stage: { quick: true, skipsDrain: true },
  },
}
