import { hashKey, isWellFormedKey } from '../lib/key-format.ts'
import { CHANGES_CHANNEL, findByHash, type KeyRow } from './keys.ts'
import { Listener } from './listener.ts'
import type { Queryable } from './statement.ts'

// Notifications drop a changed key at once; this bounds how long a lost notification can matter: for ten seconds, with the
// time that it takes to read the row anew.
const MAX_AGE_MS = 9_000
const MAX_ENTRIES = 10_000

interface Entry {
  row: KeyRow
  /** Not by the clock on the wall, which may be set back. */
  readAt: number
}

/** Rows of keys in use, by their text, so that a call costs neither a hash nor a look-up; hears of changes from the database. */
export class KeyCache implements AsyncDisposable {
  readonly #db: Queryable
  readonly #listener: Listener
  readonly #byText = new Map<string, Entry>()
  readonly #reading = new Map<string, Promise<KeyRow | undefined>>()
  #changes = 0

  constructor(db: Queryable, url: string, onLost: (error: Error | undefined) => void) {
    this.#db = db
    this.#listener = new Listener(url, CHANGES_CHANNEL, {
      onMessage: (id) => this.#forget(id),
      onListening: () => this.#changed(),
      onLost: (error) => {
        this.#forgetAll()
        onLost(error)
      },
    })
  }

  /** Whether `find` needs no database: for a key in use, and for noise. */
  isAtHand(text: string) {
    return this.#isFresh(this.#byText.get(text)) || !isWellFormedKey(text)
  }

  /** At once for a key in use, and for noise, which never reaches the database. */
  find(text: string): KeyRow | undefined | Promise<KeyRow | undefined> {
    const cached = this.#byText.get(text)
    if (this.#isFresh(cached)) return cached.row
    return isWellFormedKey(text) ? this.#readOnce(text) : undefined
  }

  /** Whether a key that is revoked now will be refused at once, and not only when its row is too old. */
  get hearsOfChanges() {
    return this.#listener.listening
  }

  async start() {
    await this.#listener.start()
  }

  /** The database is lost: a connection to it may look sound, and never bring a message again. */
  distrust(error: Error) {
    this.#listener.reconnect(error)
  }

  async [Symbol.asyncDispose]() {
    await this.#listener[Symbol.asyncDispose]()
  }

  #isFresh(entry: Entry | undefined): entry is Entry {
    return entry !== undefined && performance.now() - entry.readAt < MAX_AGE_MS
  }

  /** Callers at the same time share one look-up: a busy key must not crowd the database each time that its row is too old. */
  #readOnce(text: string) {
    const underWay = this.#reading.get(text)
    if (underWay) return underWay
    const row = this.#read(text).finally(() => {
      if (this.#reading.get(text) === row) this.#reading.delete(text)
    })
    this.#reading.set(text, row)
    return row
  }

  async #read(text: string) {
    const changesBefore = this.#changes
    const row = await findByHash(this.#db, hashKey(text))
    // A row read before a change was announced may be older than that change: use it, but don't keep it.
    if (row && this.#listener.listening && changesBefore === this.#changes) this.#keep(text, row)
    return row
  }

  #keep(text: string, row: KeyRow) {
    this.#byText.delete(text)
    this.#byText.set(text, { row, readAt: performance.now() })
    if (this.#byText.size <= MAX_ENTRIES) return
    for (const oldest of this.#byText.keys()) {
      this.#byText.delete(oldest)
      break
    }
  }

  #forget(id: string) {
    this.#changed()
    for (const [text, { row }] of this.#byText) if (row.id === id) this.#byText.delete(text)
  }

  #forgetAll() {
    this.#changed()
    this.#byText.clear()
  }

  /** What is being read just now may be older than the change: it is neither kept nor shared with who comes from now on. */
  #changed() {
    this.#changes++
    this.#reading.clear()
  }
}
