import type { Queryable } from '../postgres/statement.ts'
import { type Left, readLeft } from './word-ranges.ts'

const MAX_AGE_MS = 1_000
// It takes a fraction of this, but for the entries that an upgrade leaves in the index pets_unworded until they are removed.
const QUICK_MS = 20

/**
 * What is left of the words. While something is, what was read a second ago will do, and reading it again holds nobody up. When nothing was,
 * each statement looks itself, so that no page lacks what it has to say: that is done only when looking has become cheap.
 */
export class Completeness {
  readonly #db: Queryable
  #last: Left | undefined
  #readAt: number | undefined

  constructor(db: Queryable) {
    this.#db = db
  }

  /** Undefined if nothing was left. */
  async left(deadline?: number): Promise<Left | undefined> {
    if (this.#readAt === undefined) await this.#read(deadline)
    else if (performance.now() - this.#readAt > MAX_AGE_MS) {
      // At most once at a time. Until the database is available again, what is known will do.
      this.#readAt = performance.now()
      void this.#read().catch(() => {})
    }
    return this.#last
  }

  async #read(deadline?: number) {
    const began = performance.now()
    const read = await readLeft(this.#db, deadline)
    this.#readAt = performance.now()
    const isCheap = this.#last === undefined || this.#readAt - began < QUICK_MS
    if (read.left > 0 || isCheap) this.#last = read.left > 0 ? read : undefined
    else this.#last = { ...read, left: 1 }
  }
}
