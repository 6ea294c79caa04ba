import type { Delivered } from './receiver.ts'

/** What endpoints received of the events in a part of the feed. */
export interface Deliveries {
  /** Each event once for each endpoint. */
  delivered: number
  /** Events that an endpoint never received. */
  lost: number
  /** Events of a pet whose version did not follow the one before. */
  disordered: number
  /** Events that came again. */
  again: number
  /** From the time of each event until it was accepted, in milliseconds. */
  lags: number[]
}

/** Judges what these endpoints received of the events after `first` up to `last`, in the order in which it came. */
export function deliveriesOf(
  received: readonly Delivered[],
  endpoints: readonly string[],
  [first, last]: readonly [first: number, last: number],
): Deliveries {
  const all: Deliveries = { delivered: 0, lost: 0, disordered: 0, again: 0, lags: [] }
  const seen = new Map(
    endpoints.map((name) => [name, { sequences: new Set<number>(), versions: new Map<number, number>() }]),
  )
  for (const { endpoint, sequence, petId, version, at, eventAt } of received) {
    const own = seen.get(endpoint)
    if (!own || sequence <= first || sequence > last) continue
    if (own.sequences.has(sequence)) {
      all.again++
      continue
    }
    own.sequences.add(sequence)
    const before = own.versions.get(petId)
    if (before !== undefined && version !== before + 1) all.disordered++
    own.versions.set(petId, version)
    all.delivered++
    all.lags.push(at - eventAt)
  }
  all.lost = endpoints.length * (last - first) - all.delivered
  return all
}
