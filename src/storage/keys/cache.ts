import type { ApiKey } from '../../domain/types/key.ts'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { hashKey, isWellFormedKey } from '../../lib/ids/key-format.ts'
import { DEFAULT_STORE, type StoreAddress } from '../../lib/ids/store-address.ts'
import { keepNewest } from '../../lib/keep-newest.ts'
import { gauge } from '../../lib/metric.ts'
import { TIMES, type Times } from '../../lib/times.ts'
import { BATCHES } from '../postgres/batches.ts'
import { DatabaseBusy } from '../postgres/failures.ts'
import { Listener, type ListenerEvents } from '../postgres/listener.ts'
import type { Queryable } from '../postgres/statement.ts'
import { CHANGES_CHANNEL, findAllByHash, findAllById } from './keys.ts'

const MAX_ENTRIES = 10_000
const MAX_LOOKUPS = 100
// Not part of the limit for requests in flight, which made-up keys must not use up.
const MAX_WAITING = 1_000

interface KeyCacheOptions {
  /** The store whose keys these are. */
  address?: StoreAddress
  /** This key has changed, and its row is no longer cached. */
  onChanged?: (id: string) => void
  onRecovered?: () => void
  onBatch?: OnBatch | undefined
  times?: Pick<Times, 'keys' | 'listener'>
}

interface CachedKey {
  row: ApiKey
  /** By `performance.now()`: the time of day may be set back. */
  readAt: number
}

/**
 * Caches the rows of keys in use by their text, so that a request costs neither a hash nor a lookup. The database notifies it of changes.
 */
export class KeyCache implements AsyncDisposable {
  /** Whether a key that is revoked now is rejected at once, and not only when its row is too old. */
  readonly metrics = [
    gauge('petstore_key_changes_heard', 'Processes that are notified at once of keys that change.', () =>
      Number(this.#listener.listening),
    ),
  ]
  readonly #db: Queryable
  readonly #address: StoreAddress
  readonly #listener: Listener
  readonly #byText = new Map<string, CachedKey>()
  /** For sessions, which store the id of their key. Apart from the texts, since an id is not a secret. */
  readonly #byId = new Map<string, CachedKey>()
  /** Well-formed keys that do not exist, with the time until which they are not looked up again. */
  readonly #unknown = new Map<string, number>()
  readonly #lookups: Batcher<string, ApiKey | undefined>
  /** For keys in use whose rows are too old: they must not wait behind keys that may be made up. */
  readonly #refreshes: Batcher<string, ApiKey | undefined>
  readonly #lookupsById: Batcher<string, ApiKey | undefined>
  readonly #maxAgeMs: number
  readonly #unknownAgeMs: number
  #waiting = 0
  #changes = 0

  constructor(
    db: Queryable,
    url: string,
    onLost: (error: Error | undefined) => void,
    {
      address = DEFAULT_STORE,
      onChanged = () => {},
      onRecovered = () => {},
      onBatch,
      times = TIMES,
    }: KeyCacheOptions = {},
  ) {
    this.#db = db
    this.#address = address
    this.#maxAgeMs = times.keys.maxAgeMs
    this.#unknownAgeMs = times.keys.unknownAgeMs
    const options = {
      ...BATCHES,
      onBatch,
      maxItems: MAX_LOOKUPS,
      keyOf: (text: string) => text,
      send: (texts: string[], deadline: number) => this.#readAll(texts, deadline),
    }
    this.#lookups = new Batcher({ ...options, name: 'keys.find' })
    this.#refreshes = new Batcher({ ...options, name: 'keys.refresh' })
    this.#lookupsById = new Batcher({
      ...options,
      name: 'keys.findById',
      send: (ids: string[], deadline: number) => this.#readAllById(ids, deadline),
    })
    const listening: ListenerEvents = {
      onMessage: (id) => {
        this.#forget(id)
        onChanged(id)
      },
      onListening: (isAgain) => {
        this.#changed()
        if (isAgain) onRecovered()
      },
      onLost: (error) => {
        this.#forgetAll()
        onLost(error)
      },
    }
    this.#listener = new Listener(url, CHANGES_CHANNEL, listening, times.listener)
  }

  /** Whether `find` needs no database: for a key in use, for noise, and for a key that was not found a moment ago. */
  isCached(text: string) {
    return this.#isFresh(this.#byText.get(text)) || this.#isUnknown(text)
  }

  /** Whether it is a key that exists, though its row may be too old to go by. */
  isInUse(text: string) {
    return this.#byText.has(text)
  }

  /** At once for a key at hand. All others are looked up together, by one statement at a time. */
  find(text: string, caller?: Caller): ApiKey | undefined | Promise<ApiKey | undefined> {
    const cached = this.#byText.get(text)
    if (this.#isFresh(cached)) return cached.row
    if (cached) return this.#refreshes.submit(text, caller)
    return this.#isUnknown(text) ? undefined : this.#lookUp(text, caller)
  }

  /** The key of a session. Returns no promise if the key is cached. */
  findById(id: string, caller?: Caller): ApiKey | undefined | Promise<ApiKey | undefined> {
    const cached = this.#byId.get(id)
    return this.#isFresh(cached) ? cached.row : this.#lookupsById.submit(id, caller)
  }

  async start() {
    await this.#listener.start()
  }

  /** Called when the database is lost: the connection may look sound, and never bring a message again. */
  distrust(error: Error) {
    this.#listener.reconnect(error)
  }

  async [Symbol.asyncDispose]() {
    await this.#listener[Symbol.asyncDispose]()
  }

  #isFresh(entry: CachedKey | undefined): entry is CachedKey {
    return entry !== undefined && performance.now() - entry.readAt < this.#maxAgeMs
  }

  #isUnknown(text: string) {
    return !isWellFormedKey(text) || (this.#unknown.get(text) ?? 0) > performance.now()
  }

  async #lookUp(text: string, caller: Caller | undefined) {
    if (this.#waiting >= MAX_WAITING) throw new DatabaseBusy('too many keys wait to be looked up')
    this.#waiting++
    try {
      return await this.#lookups.submit(text, caller)
    } finally {
      this.#waiting--
    }
  }

  async #readAll(texts: string[], deadline: number) {
    const changesBefore = this.#changes
    const rows = await findAllByHash(this.#db, texts.map(hashKey), this.#address, deadline)
    // A row read before a change was announced may be older than that change: use it, but don't keep it.
    const isCurrent = this.#listener.listening && changesBefore === this.#changes
    for (const [i, text] of texts.entries()) {
      const row = rows[i]
      if (!row) keepNewest(this.#unknown, text, performance.now() + this.#unknownAgeMs, MAX_ENTRIES)
      else if (isCurrent) keepNewest(this.#byText, text, { row, readAt: performance.now() }, MAX_ENTRIES)
    }
    return rows
  }

  async #readAllById(ids: string[], deadline: number) {
    const changesBefore = this.#changes
    const rows = await findAllById(this.#db, ids, this.#address, deadline)
    if (this.#listener.listening && changesBefore === this.#changes)
      for (const row of rows) if (row) keepNewest(this.#byId, row.id, { row, readAt: performance.now() }, MAX_ENTRIES)
    return rows
  }

  #forget(id: string) {
    this.#changed()
    this.#byId.delete(id)
    for (const [text, { row }] of this.#byText) if (row.id === id) this.#byText.delete(text)
  }

  #forgetAll() {
    this.#changed()
    this.#byText.clear()
    this.#byId.clear()
  }

  #changed() {
    this.#changes++
  }
}
