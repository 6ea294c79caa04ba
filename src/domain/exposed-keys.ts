import { hashKey } from '../lib/ids/key-format.ts'
import { idsOf } from '../storage/keys/keys.ts'
import type { Queryable } from '../storage/postgres/statement.ts'

const MAX_QUEUED = 100

/**
 * Looks up keys that were sent in a URL, so that the operator can be warned. Runs in the background, since the request is
 * rejected in any case, and one statement at a time, so that a flood of such requests can't overload the database. Keys
 * that do not fit into the queue are dropped.
 */
export class ExposedKeys {
  readonly #db: Queryable
  readonly #onExposed: (keyId: string, requestId: string) => void
  /** Request ids by the hash of the key. */
  #queued = new Map<string, string>()
  #isRunning = false

  constructor(db: Queryable, onExposed: (keyId: string, requestId: string) => void) {
    this.#db = db
    this.#onExposed = onExposed
  }

  report(texts: readonly string[], requestId: string) {
    for (const text of texts) if (this.#queued.size < MAX_QUEUED) this.#queued.set(hashKey(text), requestId)
    if (!this.#isRunning) void this.#lookUpAll()
  }

  async #lookUpAll() {
    this.#isRunning = true
    while (this.#queued.size > 0) {
      const batch = this.#queued
      this.#queued = new Map()
      // A lost database is reported elsewhere.
      const found = await idsOf(this.#db, [...batch.keys()]).catch(() => [])
      for (const { id, hash } of found) this.#onExposed(id, batch.get(hash) ?? '')
    }
    this.#isRunning = false
  }
}
