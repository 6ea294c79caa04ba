import type { Delivered } from '../../bench/webhooks/receiver.ts'

/** An event of the feed that endpoints were to receive. */
export interface FeedEvent {
  sequence: number
  petId: number
  version: number
  type: string
}

/** When a process was killed, in milliseconds since 1970: before the signal, and after it had ended. */
export interface Kill {
  from: number
  to: number
}

/** Everything that the checker compares. */
export interface DeliveryRecord {
  /** By their names, with the types of events that they receive; undefined for all. */
  endpoints: { name: string; types: readonly string[] | undefined }[]
  /** The feed from the position of the webhooks to its end. */
  events: FeedEvent[]
  /** What was acknowledged to writers, as `keyOf` writes it. */
  acknowledged: string[]
  /** What was accepted, in order. */
  delivered: Delivered[]
  kills: Kill[]
}

export function keyOf({ petId, version }: Pick<FeedEvent, 'petId' | 'version'>) {
  return `${petId} ${version}`
}
