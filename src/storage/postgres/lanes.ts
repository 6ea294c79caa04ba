import { DatabaseBusy } from './failures.ts'

/** One kind of work, with connections that are reserved for it: work that is slow, or waits for locks, can't take them from the others. */
export class Lane {
  readonly #lanes: Lane[]
  readonly #connections: number
  readonly #kept: number
  readonly #patienceMs: number
  readonly #waiting = new Set<() => void>()
  #inUse = 0

  /** `lanes` has all lanes that share the connections. This one adds itself. */
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

  /** Waits for a free connection. Throws `DatabaseBusy` if that takes too long. */
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

  /** Whether a connection is left, besides those in use and those reserved for the other lanes. */
  get #hasRoom() {
    let taken = 0
    for (const lane of this.#lanes) taken += lane === this ? lane.#inUse : Math.max(lane.#inUse, lane.#kept)
    return taken < this.#connections
  }
}

/** Divides the connections, at least three. Of ten, three are reserved for reads, two for writes, one for background work. */
export function openLanes(connections: number, patienceMs: number) {
  const all: Lane[] = []
  const kept = (share: number) => Math.max(1, Math.floor(connections * share))
  return {
    reads: new Lane(all, connections, kept(0.3), patienceMs),
    writes: new Lane(all, connections, kept(0.2), patienceMs),
    background: new Lane(all, connections, kept(0.1), patienceMs),
  }
}
