import type { Sent } from './response.ts'

/** The requests that were sent and have no response yet: one of them did it when a server stops. */
export class InFlight {
  readonly #requests = new Set<() => Sent>()

  begin(request: () => Sent): Disposable {
    // A function of its own: the same request may be in flight twice.
    const entry = () => request()
    this.#requests.add(entry)
    return { [Symbol.dispose]: () => void this.#requests.delete(entry) }
  }

  /** The latest first: it is the likeliest to have stopped the server. */
  list() {
    return [...this.#requests].map((request) => request()).toReversed()
  }
}
