import { setImmediate as nextTurn } from 'node:timers/promises'

/** A request that waits for a result. */
export interface Caller {
  /** When it arrived, by `performance.now()`: its deadline counts from then. */
  readonly begun: number
  /** Destroyed when the client has disconnected. */
  readonly socket: { readonly destroyed: boolean }
  /** Only for requests that are traced. */
  readonly trace?: Trace | undefined
}

/** Called at each stage of an item. A failure is not reported here: it rejects the promise of the caller. */
export interface Trace {
  waits: (batch: string) => void
  leaves: (items: number) => void
  returns: () => void
}

/** Called with the size of each batch. */
export type OnBatch = (batch: string, items: number) => void

export interface BatchOptions<Item, Result> {
  /** The name in metrics and traces. */
  name: string
  onBatch?: OnBatch | undefined
  /** Handles a batch: one result for each item, in their order. After `deadline` no caller waits. */
  send: (items: Item[], deadline: number) => Promise<Result[]>
  /** The largest batch. */
  maxItems: number
  /** Items with equal keys are sent once, and share one result. */
  keyOf?: (item: Item) => string
  /** Items for which this is equal never share a batch: the later one is sent in the next. */
  apartBy?: (item: Item) => bigint
  /** Whether one item may have caused the failure, so that the others should be tried without it. */
  isOwnFault: (error: unknown) => boolean
  /** How long a caller waits for its result, and the error that it gets then. */
  timeoutMs: number
  timeoutError: (wasSent: boolean) => Error
}

/** The client disconnected before its item was sent: nothing was done. */
export class ClientDisconnected extends Error {
  override name = 'ClientDisconnected'
}

interface Waiter<Result> {
  caller: Caller | undefined
  deadline: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

interface Entry<Item, Result> {
  item: Item
  key: string | undefined
  waiters: Waiter<Result>[]
}

// More would gain nothing, and the first caller must not wait for all that keep arriving.
const MAX_TURNS = 3
// Thousands of callers that time out one after the other must not set a timer each.
const MIN_TIMER_MS = 20

/**
 * Items that arrive while a batch is in flight are sent together in the next one. No timer holds them back: an idle batcher
 * sends at the next turn of the event loop, a busy one sends larger batches. An item never joins a batch in flight, which
 * may have been executed before its caller arrived.
 */
export class Batcher<Item, Result> {
  readonly #options: BatchOptions<Item, Result>
  #waiting: Entry<Item, Result>[] = []
  #inFlight: Entry<Item, Result>[] = []
  readonly #waitingByKey = new Map<string, Entry<Item, Result>>()
  #busy = false
  #submitted = 0
  #timer: NodeJS.Timeout | undefined
  #timerAt = Number.POSITIVE_INFINITY

  constructor(options: BatchOptions<Item, Result>) {
    this.#options = options
  }

  submit(item: Item, caller?: Caller): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const deadline = (caller?.begun ?? performance.now()) + this.#options.timeoutMs
    this.#entryFor(item).waiters.push({ caller, deadline, resolve, reject })
    this.#submitted++
    caller?.trace?.waits(this.#options.name)
    // A later caller may have arrived at the service earlier: its body or its key took longer.
    if (deadline < this.#timerAt) this.#setTimer(deadline)
    if (!this.#busy) this.#begin()
    return promise
  }

  #entryFor(item: Item) {
    const key = this.#options.keyOf?.(item)
    const twin = key === undefined ? undefined : this.#waitingByKey.get(key)
    if (twin) return twin
    const entry: Entry<Item, Result> = { item, key, waiters: [] }
    this.#waiting.push(entry)
    if (key !== undefined) this.#waitingByKey.set(key, entry)
    return entry
  }

  #begin() {
    this.#busy = true
    void this.#sendAll()
  }

  async #sendAll() {
    while (this.#waiting.length > 0) {
      await this.#gather()
      this.#inFlight = this.#take()
      for (const { key } of this.#inFlight) if (key !== undefined) this.#waitingByKey.delete(key)
      await this.#send(this.#inFlight)
    }
    this.#inFlight = []
    this.#busy = false
    clearTimeout(this.#timer)
    this.#timerAt = Number.POSITIVE_INFINITY
  }

  #take() {
    const { maxItems, apartBy } = this.#options
    if (!apartBy) return this.#waiting.splice(0, maxItems)
    const batch = new Map<bigint, Entry<Item, Result>>()
    const later: Entry<Item, Result>[] = []
    for (const entry of this.#waiting) {
      const key = apartBy(entry.item)
      if (batch.size === maxItems || batch.has(key)) later.push(entry)
      else batch.set(key, entry)
    }
    this.#waiting = later
    return [...batch.values()]
  }

  /** Waits for items that have arrived already: a batch is sent when a turn of the event loop adds nothing to it. */
  async #gather() {
    for (let turn = 0, before = -1; turn < MAX_TURNS && before !== this.#submitted; turn++) {
      before = this.#submitted
      await nextTurn()
    }
  }

  async #send(entries: Entry<Item, Result>[]): Promise<void> {
    const batch = entries.filter((entry) => this.#isWanted(entry))
    if (batch.length === 0) return
    this.#report(batch)
    try {
      const results = await this.#options.send(
        batch.map(({ item }) => item),
        latestDeadline(batch),
      )
      if (results.length !== batch.length) throw new Error(`${results.length} results for ${batch.length} items`)
      for (const [i, result] of results.entries())
        for (const { caller, resolve } of batch[i]?.waiters ?? []) {
          caller?.trace?.returns()
          resolve(result)
        }
    } catch (error) {
      if (batch.length > 1 && this.#options.isOwnFault(error)) {
        const middle = batch.length >> 1
        await this.#send(batch.slice(0, middle))
        await this.#send(batch.slice(middle))
      } else for (const { waiters } of batch) for (const { reject } of waiters) reject(error)
    }
  }

  #report(batch: Entry<Item, Result>[]) {
    const { name, onBatch } = this.#options
    onBatch?.(name, batch.length)
    for (const { waiters } of batch) for (const { caller } of waiters) caller?.trace?.leaves(batch.length)
  }

  /** Whether a caller still waits for this item. Rejects the callers that do not. */
  #isWanted({ waiters }: Entry<Item, Result>) {
    const now = performance.now()
    let isWanted = false
    for (const { caller, deadline, reject } of waiters) {
      if (caller?.socket.destroyed) reject(new ClientDisconnected('the client disconnected'))
      else if (deadline <= now) reject(this.#options.timeoutError(false))
      else isWanted = true
    }
    return isWanted
  }

  /** Rejects the callers whose deadline has passed, sent or not, and sets the timer for the next. */
  #expireOverdue() {
    const now = performance.now()
    let next = now + this.#options.timeoutMs
    const expire = (entry: Entry<Item, Result>, wasSent: boolean) => {
      entry.waiters = entry.waiters.filter(({ deadline, reject }) => {
        if (deadline <= now) reject(this.#options.timeoutError(wasSent))
        else next = Math.min(next, deadline)
        return deadline > now
      })
    }
    for (const entry of this.#inFlight) expire(entry, true)
    for (const entry of this.#waiting) expire(entry, false)
    this.#setTimer(Math.max(next, now + MIN_TIMER_MS))
  }

  #setTimer(at: number) {
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => this.#expireOverdue(), Math.max(1, at - performance.now())).unref()
  }
}

function latestDeadline(batch: Entry<unknown, never>[]) {
  let latest = 0
  for (const { waiters } of batch) for (const { deadline } of waiters) if (deadline > latest) latest = deadline
  return latest
}
