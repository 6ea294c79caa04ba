import { setTimeout as sleep } from 'node:timers/promises'
import { toError } from '../../lib/errors.ts'
import { DatabaseRejects } from './failures.ts'
import { UnsafeDatabase } from './probe.ts'

export interface AvailabilityOptions {
  /** Throws unless it is available. */
  probe: (closed: AbortSignal) => Promise<void>
  /** How long work waits after a loss. */
  holdMs: number
  probeIntervalMs: number
  /** Called at a loss, and again if there is another reason that the operator must act on. */
  onLost: (error: Error) => void
  onRecovered: () => void
}

interface Loss {
  since: number
  reason: Error
  readonly recovered: PromiseWithResolvers<void>
}

/**
 * Tracks whether something that requests need is available. After a loss, one probe at a time looks for it, and work waits for the probe
 * instead of trying by itself.
 */
export class Availability implements Disposable {
  readonly #options: AvailabilityOptions
  readonly #closed = new AbortController()
  #loss: Loss | undefined
  #generation = 0
  /** How many callers wait now, and how many have waited since the start. */
  waiting = 0
  waitsTotal = 0

  constructor(options: AvailabilityOptions) {
    this.#options = options
  }

  /** Grows with each loss: connections of an earlier generation are not trusted. */
  get generation() {
    return this.#generation
  }

  /** Why it is lost; undefined while it is available. */
  get downReason() {
    return this.#loss?.reason
  }

  /** Whether it was lost so recently that callers still wait for it. */
  get isHolding() {
    return this.#loss !== undefined && performance.now() < this.#loss.since + this.#options.holdMs
  }

  /** Reports a loss, unless the work began in an earlier generation: its connections may break long after that loss. */
  lose(reason: Error, generation: number) {
    if (this.#loss || generation < this.#generation || this.#closed.signal.aborted) return
    this.#generation++
    this.#loss = { since: performance.now(), reason, recovered: Promise.withResolvers() }
    this.#options.onLost(reason)
    void this.#seek(this.#loss)
  }

  /** Waits until it is available, but no longer than `holdMs` after the loss, or the deadline. Returns whether it is available. */
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
    // Not the latest reason: a probe in between that only timed out must not make the same reason be reported twice.
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

/** Whether it stays lost until the operator changes something. */
function isForOperator(reason: Error) {
  return reason instanceof UnsafeDatabase || reason instanceof DatabaseRejects
}
