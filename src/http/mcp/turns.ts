import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StoreAddress } from '../../lib/ids/store-address.ts'

const MAX_AT_ONCE = 8
/** No client can use up the capacity. A few are needed, so that some read while one is written. */
const MAX_OF_CHAIN = MAX_AT_ONCE / 2
/** The event loop accepts one connection a turn, and connections may wait behind hundreds of tool calls. */
const TURNS_FOR_OTHERS = 32

interface Chain {
  inside: number
  readonly waiting: (() => void)[]
}

/** The calls of a store that is slow must not take the turns of the other. */
export type TurnsOfStores = Record<StoreAddress, Turns>

/**
 * Lists for models are the longest results, and requesting one is short. Only a few are read at once, so that hundreds of calls do not fill
 * the memory; before each is written, the event loop has some turns for other requests. Key chains take turns: the calls of one do not wait
 * for all those of another.
 */
export class Turns {
  #inside = 0
  /** The chains that have calls. The next turn goes to the first of them that waits and is below its limit. */
  readonly #chains = new Map<string, Chain>()
  #last: Promise<unknown> = Promise.resolve()

  /** Waits until this call is one of the few. Resolves to a function that must be called when it ends. */
  async enter(chainId: string) {
    const chain = this.#chains.get(chainId) ?? { inside: 0, waiting: [] }
    this.#chains.set(chainId, chain)
    if (this.#inside < MAX_AT_ONCE && chain.inside < MAX_OF_CHAIN) this.#count(chain, 1)
    else await new Promise<void>((resolve) => chain.waiting.push(resolve))
    let isInside = true
    return () => {
      if (isInside) this.#leave(chainId, chain)
      isInside = false
    }
  }

  /** Resolves in a turn of the event loop that no other call gets. */
  async own() {
    this.#last = this.#last.then(letOthersPass)
    await this.#last
  }

  #leave(chainId: string, chain: Chain) {
    this.#count(chain, -1)
    if (chain.inside === 0 && chain.waiting.length === 0) this.#chains.delete(chainId)
    for (const [id, next] of this.#chains) {
      const begin = next.inside < MAX_OF_CHAIN ? next.waiting.shift() : undefined
      if (!begin) continue
      // To the end.
      this.#chains.delete(id)
      this.#chains.set(id, next)
      this.#count(next, 1)
      return begin()
    }
  }

  #count(chain: Chain, change: number) {
    this.#inside += change
    chain.inside += change
  }
}

async function letOthersPass() {
  for (let i = 0; i < TURNS_FOR_OTHERS; i++) await nextTurn()
}
