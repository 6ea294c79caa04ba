import { setTimeout as sleep } from 'node:timers/promises'
import { toError } from '../../lib/errors.ts'
import { DatabaseRejects } from './failures.ts'
import { UnsafeDatabase } from './probe.ts'

export interface AvailabilityOptions {
  /** Throws unless it is available. */
  probe: (closed: AbortSignal) => Promise<void>
  /** How long after a loss work waits for it. */
  holdMs: number
  probeIntervalMs: number
  /** Also when it is still lost, but for another kind of reason. */
  onLost: (error: Error) => void
  onRecovered: () => void
}

interface Loss {
  since: number
  reason: Error
  readonly recovered: PromiseWithResolvers<void>
}

/**
 * Whether something that requests need is available. After the first failure that says it is not, one probe at a time looks for
 * it; work that needs it waits for the probe, and does not try by itself.
 */
export class Availability implements Disposable {
  readonly #options: AvailabilityOptions
  readonly #closed = new AbortController()
  #loss: Loss | undefined
  #generation = 0
  /** How many wait for it just now, and how many ever had to. */
  waiting = 0
  waitsTotal = 0

  constructor(options: AvailabilityOptions) {
    this.#options = options
  }

  /** Grows with each loss: a connection from before is not trusted after it. */
  get generation() {
    return this.#generation
  }

  /** Why it is lost; undefined while it is available. */
  get lostBecause() {
    return this.#loss?.reason
  }

  /** Whether it is lost, and those who need it still wait. */
  get isHolding() {
    return this.#loss !== undefined && performance.now() < this.#loss.since + this.#options.holdMs
  }

  /** Reports a loss, as seen by work that began in that generation: old connections break long after the loss. */
  lose(reason: Error, generation: number) {
    if (this.#loss || generation < this.#generation || this.#closed.signal.aborted) return
    this.#generation++
    this.#loss = { since: performance.now(), reason, recovered: Promise.withResolvers() }
    this.#options.onLost(reason)
    void this.#seek(this.#loss)
  }

  /** Waits for it up to the limit for all. Returns whether it is available now. */
  async wait(deadline: number) {
    const loss = this.#loss
    if (!loss) return true
    const patience = Math.min(loss.since + this.#options.holdMs, deadline) - performance.now()
    if (patience <= 0) return false
    const ended = new AbortController()
    this.waiting++
    this.waitsTotal++
    try {
      const { signal } = ended
      return await Promise.race([loss.recovered.promise.then(() => true), sleep(patience, false, { signal })])
    } finally {
      this.waiting--
      ended.abort()
    }
  }

  [Symbol.dispose]() {
    this.#closed.abort()
  }

  async #seek(loss: Loss) {
    const { signal } = this.#closed
    // Not the latest reason: an attempt in between may just have taken too long.
    let reported = loss.reason.message
    while (!signal.aborted) {
      try {
        await this.#options.probe(signal)
        break
      } catch (error) {
        loss.reason = toError(error)
        if (isForOperator(loss.reason) && loss.reason.message !== reported && !signal.aborted) {
          reported = loss.reason.message
          this.#options.onLost(loss.reason)
        }
      }
      await sleep(this.#options.probeIntervalMs, undefined, { signal }).catch(() => {})
    }
    if (signal.aborted) return
    this.#loss = undefined
    this.#options.onRecovered()
    loss.recovered.resolve()
  }
}

/** Whether it stays lost until somebody changes something. */
function isForOperator(reason: Error) {
  return reason instanceof UnsafeDatabase || reason instanceof DatabaseRejects
}
