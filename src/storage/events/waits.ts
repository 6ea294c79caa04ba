import type { Head } from './sequencer.ts'

/** The client of a request that waits. */
export interface Waiter {
  keyId: string
  /** Under which its waits are counted: a rotated key and its successors share them. */
  chainId: string
}

interface Waiting extends Waiter {
  after: bigint
  resolve: (isKeyChanged: boolean) => void
}

const MAX_WAITING = 128
/** No client can take the places of all others. */
const MAX_OF_CHAIN = MAX_WAITING / 4

/** The requests of a process that wait for the next event. */
export class Waits {
  readonly #waiting = new Set<Waiting>()
  readonly #byChain = new Map<string, number>()
  #hasEnded = false

  get size() {
    return this.#waiting.size
  }

  hasRoom(chainId: string) {
    return !this.#hasEnded && this.#waiting.size < MAX_WAITING && (this.#byChain.get(chainId) ?? 0) < MAX_OF_CHAIN
  }

  /**
   * Waits for an event after this number, until the signal aborts or `end` is called; not at all if there is no room. True if the key has
   * changed meanwhile, false otherwise.
   */
  async wait(after: bigint, signal: AbortSignal, { keyId, chainId }: Waiter) {
    if (!this.hasRoom(chainId) || signal.aborted) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting: Waiting = { after, keyId, chainId, resolve }
    const end = () => resolve(false)
    this.#waiting.add(waiting)
    this.#count(chainId, 1)
    signal.addEventListener('abort', end, { once: true })
    const isKeyChanged = await promise
    signal.removeEventListener('abort', end)
    this.#waiting.delete(waiting)
    this.#count(chainId, -1)
    return isKeyChanged
  }

  /** The feed ends here now. */
  advance({ sequence }: Head) {
    for (const { after, resolve } of this.#waiting) if (sequence > after) resolve(false)
  }

  /** This key has changed: its requests may no longer be allowed to wait. */
  noteKeyChange(keyId: string) {
    for (const waiting of this.#waiting) if (waiting.keyId === keyId) waiting.resolve(true)
  }

  /** From now on nothing waits. */
  end() {
    this.#hasEnded = true
    for (const { resolve } of this.#waiting) resolve(false)
  }

  #count(chainId: string, change: number) {
    const count = (this.#byChain.get(chainId) ?? 0) + change
    if (count === 0) this.#byChain.delete(chainId)
    else this.#byChain.set(chainId, count)
  }
}
