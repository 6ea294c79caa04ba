/** An event of the feed, as far as the checker looks at it. */
export interface SeenEvent {
  sequence: number
  id: string
  petId: number
  version: number
  /** Which change made it, as `Change` has it. Undefined where none of our writers did. */
  change: string | undefined
  /** A digest of all of it. */
  digest: string
}

/** A change that a writer asked for. No two have the same name, so that an event names its change. */
export interface Change {
  /** The type of its event, and the name of the pet, the reference or the id of the order, or the id of the pet. */
  name: string
  /** Acknowledged with 2xx; rejected, which changes nothing; or given up, so that it may have been made or not. */
  result: 'acknowledged' | 'rejected' | 'unknown'
  /** What the response had of it. */
  petId?: number | undefined
  version?: number | undefined
  /** When it was acknowledged, on the clock of performance.now(). */
  at: number
}

/** What one reader has read, in its order. */
export interface ReaderLog {
  name: string
  events: SeenEvent[]
}

/** Everything that the checker compares. */
export interface FeedRecord {
  changes: Change[]
  readers: ReaderLog[]
  /** The feed at the end, from the oldest event that is kept. */
  feed: SeenEvent[]
  /** The events in the database at the end, as `eventKey` writes them. */
  stored: string[]
}

export function eventKey({ petId, version }: Pick<SeenEvent, 'petId' | 'version'>) {
  return `${petId} ${version}`
}
