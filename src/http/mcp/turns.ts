import { setImmediate as nextTurn } from 'node:timers/promises'

const MAX_AT_ONCE = 8

/**
 * Lists for models are the longest results that there are, and a call for one is short. Only a few are read at once, so that hundreds of
 * calls do not fill the memory; and each is written in a turn of the event loop of its own, so that other requests come in between.
 */
export class Turns {
  #free = MAX_AT_ONCE
  readonly #waiting: (() => void)[] = []
  #last: Promise<unknown> = Promise.resolve()

  /** Resolves, to what gives the place back, when this call is one of the few. */
  async enter() {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    let isInside = true
    return () => {
      if (isInside) this.#leave()
      isInside = false
    }
  }

  /** Resolves in a turn of the event loop that no other call gets. */
  async own() {
    this.#last = this.#last.then(() => nextTurn())
    await this.#last
  }

  #leave() {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
