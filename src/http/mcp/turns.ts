import { setImmediate as nextTurn } from 'node:timers/promises'

const MAX_AT_ONCE = 8
/** No client can take the places of all others. A few are needed, so that some read while one is written. */
const MAX_OF_CHAIN = MAX_AT_ONCE / 2
/** The event loop accepts one connection a turn, and what connects may be behind hundreds that call tools. */
const TURNS_FOR_OTHERS = 32

interface Chain {
  inside: number
  readonly waiting: (() => void)[]
}

/**
 * Lists for models are the longest results that there are, and a call for one is short. Only a few are read at once, so that hundreds of
 * calls do not fill the memory; and before each is written, the event loop has some turns for other requests. Key chains take turns: calls
 * of one do not wait for all those of another.
 */
export class Turns {
  #inside = 0
  /** Those with calls. The next place is for the first of them that waits and may have one. */
  readonly #chains = new Map<string, Chain>()
  #last: Promise<unknown> = Promise.resolve()

  /** Resolves, to what gives the place back, when this call is one of the few. */
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
      // Behind the others.
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
