import type { Rig } from './rig/rig.ts'
import type { Site } from './rig/site.ts'

/** What a fault is tried on, and how. */
export interface Stage {
  /** The directory of all files and logs of the run. */
  site: Site
  /** The rig, started on first use and shared by all faults of a run. */
  rig: () => Promise<Rig>
  /** How many rounds, if given. */
  times: number | undefined
  /** The short form, for CI. */
  quick: boolean
  /** Whether requests carry an Idempotency-Key; only `--break keys` turns it off, to show what happens without. */
  keyed: boolean
  /** Whether the database sells pets twice; only `--break oversell` turns it on, to show that the checker finds it. */
  oversells: boolean
  /** Whether events of concurrent transactions are left out of the feed; only `--break feed` turns it on, for the same reason. */
  skipsEvents: boolean
  /** Whether events are stored as delivered before they are; only `--break deliver` turns it on, for the same reason. */
  storesEarly: boolean
  /** Whether the database drops words of pets; only `--break words` turns it on, for the same reason. */
  losesWords: boolean
  /** Whether both stores of a process share its places; only `--break places` turns it on, for the same reason. */
  sharesPlaces: boolean
  /** Whether processes are replaced without their drain; only `--break drain` turns it on, for the same reason. */
  skipsDrain: boolean
  /** Prints progress for a person. */
  say: (text: string) => void
}

/** One line of results. A fault can add its own measurements to these. */
export interface Outcome {
  times: number
  acked: number
  /** Pets that were acknowledged and are not stored as they were acknowledged. */
  lost: number
  /** Names that are stored more than once. */
  twice: number
  /** Requests that were given up at their deadline. */
  failed: number
  /** The longest time without an acknowledgement, for each round. */
  outageMs?: { p50: number; max: number }
  [measurement: string]: unknown
  /** Invariants that did not hold, as sentences. */
  broken: string[]
}

export interface Fault {
  name: string
  /** How it is injected, in a few words for the table. */
  injected: string
  /** What must hold, in a few words for the table. */
  invariant: string
  /** Belongs to the short form of all. */
  quick?: boolean
  run: (stage: Stage) => Promise<Outcome>
}
