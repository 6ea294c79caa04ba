/**
 * Lets the statements of a process that place orders of the same chain run one after the other, in the order in which they come: a count of
 * open orders does not see what another statement is placing. There are two such statements, with and without an Idempotency-Key.
 */
export class ChainTurns {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<Result>(chainIds: readonly (string | undefined)[], send: () => Promise<Result>): Promise<Result> {
    const chains = new Set(chainIds.filter((id) => id !== undefined))
    const earlier = [...chains].flatMap((id) => this.#last.get(id) ?? [])
    const sent = earlier.length > 0 ? Promise.all(earlier).then(send) : send()
    const ended = sent.catch(() => {})
    for (const id of chains) this.#last.set(id, ended)
    try {
      return await sent
    } finally {
      for (const id of chains) if (this.#last.get(id) === ended) this.#last.delete(id)
    }
  }
}
