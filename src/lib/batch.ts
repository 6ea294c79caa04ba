import { setImmediate as nextTurn } from 'node:timers/promises'
import { NOTABLE_MS, noteDelay } from './delays.ts'

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

/** Called when a batch has ended, successfully or not: how long its first item waited, and how long the batch took from then on. */
export type OnBatch = (batch: string, items: number, waitMs: number, statementMs: number) => void

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
  conflictKey?: (item: Item) => bigint
  /** Whether one item may have caused the failure, so that the others should be tried without it. */
  isItemFault: (error: unknown) => boolean
  /** How long a caller waits for its result, and the error that it gets after that. */
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

interface QueuedItem<Item, Result> {
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
  #waiting: QueuedItem<Item, Result>[] = []
  #inFlight: QueuedItem<Item, Result>[] = []
  readonly #waitingByKey = new Map<string, QueuedItem<Item, Result>>()
  #busy = false
  #submitted = 0
  /** When the first waiting item arrived, when the first item of the batch in flight did, and when that batch was sent. */
  #waitingSince = 0
  #inFlightSince = 0
  #sentAt = 0
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
    const duplicate = key === undefined ? undefined : this.#waitingByKey.get(key)
    if (duplicate) return duplicate
    const entry: QueuedItem<Item, Result> = { item, key, waiters: [] }
    if (this.#waiting.length === 0) this.#waitingSince = performance.now()
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
      this.#inFlightSince = this.#waitingSince
      this.#inFlight = this.#take()
      for (const { key } of this.#inFlight) if (key !== undefined) this.#waitingByKey.delete(key)
      await this.#send(this.#inFlight, this.#inFlightSince)
    }
    this.#inFlight = []
    this.#busy = false
    clearTimeout(this.#timer)
    this.#timerAt = Number.POSITIVE_INFINITY
  }

  #take() {
    const { maxItems, conflictKey } = this.#options
    if (!conflictKey) return this.#waiting.splice(0, maxItems)
    const batch = new Map<bigint, QueuedItem<Item, Result>>()
    const later: QueuedItem<Item, Result>[] = []
    for (const entry of this.#waiting) {
      const key = conflictKey(entry.item)
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

  async #send(entries: QueuedItem<Item, Result>[], waitingSince: number): Promise<void> {
    const now = performance.now()
    const batch = entries.filter((entry) => this.#isWanted(entry, waitingSince, now))
    if (batch.length === 0) return
    this.#sentAt = now
    for (const { waiters } of batch) for (const { caller } of waiters) caller?.trace?.leaves(batch.length)
    try {
      const results = await this.#options.send(
        batch.map(({ item }) => item),
        latestDeadline(batch),
      )
      if (results.length !== batch.length) throw new Error(`${results.length} results for ${batch.length} items`)
      this.#report(batch, waitingSince, now)
      for (const [i, result] of results.entries())
        for (const { caller, resolve } of batch[i]?.waiters ?? []) {
          caller?.trace?.returns()
          resolve(result)
        }
    } catch (error) {
      this.#report(batch, waitingSince, now)
      if (batch.length > 1 && this.#options.isItemFault(error)) {
        const middle = batch.length >> 1
        await this.#send(batch.slice(0, middle), waitingSince)
        await this.#send(batch.slice(middle), waitingSince)
      } else for (const { waiters } of batch) for (const { reject } of waiters) reject(error)
    }
  }

  #report(batch: QueuedItem<Item, Result>[], waitingSince: number, sentAt: number) {
    const { name, onBatch } = this.#options
    const since = Math.max(waitingSince, this.#arrivalOf(batch[0]))
    const now = performance.now()
    onBatch?.(name, batch.length, sentAt - since, now - sentAt)
    if (now - since < NOTABLE_MS) return
    for (const { waiters } of batch) for (const waiter of waiters) this.#noteDelay(waiter, since, sentAt, now)
  }

  /** If more items wait than fit into a batch, `waitingSince` is before some of them arrived. */
  #arrivalOf(entry: QueuedItem<Item, Result> | undefined) {
    return (entry?.waiters[0]?.deadline ?? 0) - this.#options.timeoutMs
  }

  #noteDelay({ caller, deadline }: Waiter<Result>, waitingSince: number, sentAt: number, now: number) {
    if (!caller) return
    const { name, timeoutMs } = this.#options
    const since = Math.max(waitingSince, deadline - timeoutMs)
    noteDelay(caller, { name, waitMs: sentAt - since, statementMs: now - sentAt })
  }

  /** Whether a caller still waits for this item. Rejects the callers that do not. */
  #isWanted({ waiters }: QueuedItem<Item, Result>, waitingSince: number, now: number) {
    let isWanted = false
    for (const waiter of waiters) {
      if (waiter.caller?.socket.destroyed) waiter.reject(new ClientDisconnected('the client disconnected'))
      else if (waiter.deadline <= now) this.#expire(waiter, waitingSince, false, now)
      else isWanted = true
    }
    return isWanted
  }

  /** Rejects the callers whose deadline has passed, sent or not, and sets the timer for the next. */
  #expireOverdue() {
    const now = performance.now()
    let next = now + this.#options.timeoutMs
    const expire = (entry: QueuedItem<Item, Result>, wasSent: boolean) => {
      entry.waiters = entry.waiters.filter((waiter) => {
        const isOverdue = waiter.deadline <= now
        if (isOverdue) this.#expire(waiter, wasSent ? this.#inFlightSince : this.#waitingSince, wasSent, now)
        else next = Math.min(next, waiter.deadline)
        return !isOverdue
      })
    }
    for (const entry of this.#inFlight) expire(entry, true)
    for (const entry of this.#waiting) expire(entry, false)
    this.#setTimer(Math.max(next, now + MIN_TIMER_MS))
  }

  #expire(waiter: Waiter<Result>, waitingSince: number, wasSent: boolean, now: number) {
    this.#noteDelay(waiter, waitingSince, wasSent ? this.#sentAt : now, now)
    waiter.reject(this.#options.timeoutError(wasSent))
  }

  #setTimer(at: number) {
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => this.#expireOverdue(), Math.max(1, at - performance.now())).unref()
  }
}

function latestDeadline(batch: QueuedItem<unknown, never>[]) {
  let latest = 0
  for (const { waiters } of batch) for (const { deadline } of waiters) if (deadline > latest) latest = deadline
  return latest
}
