import { DatabaseBusy } from './failures.ts'

// Long enough for a busy moment, short enough that a client soon learns that it has to try again.
const PATIENCE_MS = 700

/** A share of the connections. Work of one kind that is slow, or waits for locks, leaves the others theirs. */
export class Lane {
  readonly #size: number
  readonly #waiting = new Set<() => void>()
  #inUse = 0

  constructor(size: number) {
    this.#size = size
  }

  get waiting() {
    return this.#waiting.size
  }

  /** Waits until one of its connections is free. Throws `DatabaseBusy` when that takes too long. */
  async enter() {
    if (this.#inUse < this.#size) {
      this.#inUse++
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    const timer = setTimeout(() => {
      this.#waiting.delete(resolve)
      reject(new DatabaseBusy('every connection is busy'))
    }, PATIENCE_MS)
    await promise.finally(() => clearTimeout(timer))
  }

  leave() {
    const { value: next } = this.#waiting.values().next()
    if (!next) {
      this.#inUse--
      return
    }
    this.#waiting.delete(next)
    next()
  }
}

/** Divides connections, of which there are at least three: half for reads, a fifth for background work, the rest for writes. */
export function openLanes(connections: number) {
  const reads = Math.floor(connections / 2)
  const background = Math.max(1, Math.floor(connections / 5))
  return {
    reads: new Lane(reads),
    writes: new Lane(connections - reads - background),
    background: new Lane(background),
  }
}
