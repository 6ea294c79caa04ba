import { hashKey } from '../lib/key-format.ts'
import { idsOf } from '../storage/keys/keys.ts'
import type { Queryable } from '../storage/postgres/statement.ts'

const MOST_WAITING = 100

/**
 * Finds out which keys have been seen where everybody can read them. Beside the calls, which are refused in any case, and by
 * one statement at a time: whoever sends keys in masses must not crowd the database. What does not fit is not told of.
 */
export class ExposedKeys {
  readonly #db: Queryable
  readonly #onExposed: (keyId: string, requestId: string) => void
  /** The request that each was seen in, by hash. */
  #waiting = new Map<string, string>()
  #isAsking = false

  constructor(db: Queryable, onExposed: (keyId: string, requestId: string) => void) {
    this.#db = db
    this.#onExposed = onExposed
  }

  report(texts: readonly string[], requestId: string) {
    for (const text of texts) if (this.#waiting.size < MOST_WAITING) this.#waiting.set(hashKey(text), requestId)
    if (!this.#isAsking) void this.#ask()
  }

  async #ask() {
    this.#isAsking = true
    while (this.#waiting.size > 0) {
      const asked = this.#waiting
      this.#waiting = new Map()
      // A database that is away has more to tell than this.
      const found = await idsOf(this.#db, [...asked.keys()]).catch(() => [])
      for (const { id, hash } of found) this.#onExposed(id, asked.get(hash) ?? '')
    }
    this.#isAsking = false
  }
}
