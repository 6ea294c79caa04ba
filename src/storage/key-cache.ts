import type { Queryable } from './database.ts'
import { CHANGES_CHANNEL, findByHash, type KeyRow } from './keys.ts'
import { Listener } from './listener.ts'

// Notifications drop a changed key at once; this bounds how long a lost notification can matter.
const MAX_AGE_MS = 10_000
const MAX_ENTRIES = 10_000

interface Entry {
  row: KeyRow
  readAt: number
}

/** Rows of keys in use, by hash, so that a call does not cost a look-up; hears of changes from the database. */
export class KeyCache implements AsyncDisposable {
  readonly #db: Queryable
  readonly #listener: Listener
  readonly #byHash = new Map<string, Entry>()
  #changes = 0

  constructor(db: Queryable, url: string, onLost: (error: Error | undefined) => void) {
    this.#db = db
    this.#listener = new Listener(url, CHANGES_CHANNEL, {
      onMessage: (id) => this.#forget(id),
      // What is being read just now may be older than the first message to come.
      onListening: () => this.#changes++,
      onLost: (error) => {
        this.#forgetAll()
        onLost(error)
      },
    })
  }

  async find(hash: string): Promise<KeyRow | undefined> {
    const cached = this.#byHash.get(hash)
    if (cached && Date.now() - cached.readAt < MAX_AGE_MS) return cached.row

    const changesBefore = this.#changes
    const row = await findByHash(this.#db, hash)
    // A row read before a change was announced may be older than that change: use it, but don't keep it.
    if (row && this.#listener.listening && changesBefore === this.#changes) this.#keep(hash, row)
    return row
  }

  async start() {
    await this.#listener.start()
  }

  async [Symbol.asyncDispose]() {
    await this.#listener[Symbol.asyncDispose]()
  }

  #keep(hash: string, row: KeyRow) {
    this.#byHash.delete(hash)
    this.#byHash.set(hash, { row, readAt: Date.now() })
    if (this.#byHash.size <= MAX_ENTRIES) return
    for (const oldest of this.#byHash.keys()) {
      this.#byHash.delete(oldest)
      break
    }
  }

  #forget(id: string) {
    this.#changes++
    for (const [hash, { row }] of this.#byHash) if (row.id === id) this.#byHash.delete(hash)
  }

  #forgetAll() {
    this.#changes++
    this.#byHash.clear()
  }
}
