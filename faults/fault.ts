import type { Rig } from './rig/rig.ts'
import type { Site } from './rig/site.ts'

/** What a fault is tried on, and how. */
export interface Stage {
  /** Where everything that is put up has its files and logs. */
  site: Site
  /** The rig, put up when it is first asked for, and shared by all faults of a run. */
  rig: () => Promise<Rig>
  /** How often, if it was said. */
  times: number | undefined
  /** The short form, for CI. */
  quick: boolean
  /** Whether calls carry an Idempotency-Key; they do, unless the run is to show what happens without. */
  keyed: boolean
  /** Tells a person what is being done. */
  say: (text: string) => void
}

/** One line of figures. Whatever else a fault measures stands beside these. */
export interface Outcome {
  times: number
  acked: number
  /** Pets that were acknowledged and are not stored as they were acknowledged. */
  lost: number
  /** Names that are stored more than once. */
  twice: number
  /** Calls that were given up at their deadline. */
  failed: number
  /** The longest time without an acknowledgement, for each round. */
  outageMs?: { p50: number; max: number }
  [figure: string]: unknown
  /** What must hold and did not, as sentences. */
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
