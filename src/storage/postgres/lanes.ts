import { DatabaseBusy } from './failures.ts'

/** One kind of work, with connections that are kept for it. Work that is slow, or waits for locks, leaves the others theirs. */
export class Lane {
  readonly #lanes: Lane[]
  readonly #connections: number
  readonly #kept: number
  readonly #patienceMs: number
  readonly #waiting = new Set<() => void>()
  #inUse = 0

  /** `lanes` are all that share the connections, this one included. */
  constructor(lanes: Lane[], connections: number, kept: number, patienceMs: number) {
    this.#lanes = lanes
    this.#connections = connections
    this.#kept = kept
    this.#patienceMs = patienceMs
    lanes.push(this)
  }

  get waiting() {
    return this.#waiting.size
  }

  /** Waits until a connection is free for it. Throws `DatabaseBusy` when that takes too long. */
  async enter() {
    if (this.#hasRoom) {
      this.#inUse++
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    const timer = setTimeout(() => {
      this.#waiting.delete(resolve)
      reject(new DatabaseBusy('every connection is busy'))
    }, this.#patienceMs)
    await promise.finally(() => clearTimeout(timer))
  }

  leave() {
    this.#inUse--
    for (const lane of this.#lanes) lane.#admit()
  }

  /** First come, first served. */
  #admit() {
    for (const admit of this.#waiting) {
      if (!this.#hasRoom) return
      this.#waiting.delete(admit)
      this.#inUse++
      admit()
    }
  }

  /** Whether a connection is left beside those in use and those kept for the other lanes. */
  get #hasRoom() {
    let taken = 0
    for (const lane of this.#lanes) taken += lane === this ? lane.#inUse : Math.max(lane.#inUse, lane.#kept)
    return taken < this.#connections
  }
}

/** Divides connections, of which there are at least three. Of ten, three are kept for reads, two for writes, one for background work. */
export function openLanes(connections: number, patienceMs: number) {
  const all: Lane[] = []
  const kept = (share: number) => Math.max(1, Math.floor(connections * share))
  return {
    reads: new Lane(all, connections, kept(0.3), patienceMs),
    writes: new Lane(all, connections, kept(0.2), patienceMs),
    background: new Lane(all, connections, kept(0.1), patienceMs),
  }
}
