import { setImmediate as nextTurn } from 'node:timers/promises'

/** Whoever waits for a result; a request is one. */
export interface Caller {
  /** When it came, by the clock of `performance`: its patience is counted from then. */
  readonly begun: number
  /** Destroyed when it has gone away: nobody will read the result. */
  readonly socket: { readonly destroyed: boolean }
  /** Hears what becomes of its item; few callers have one. */
  readonly trace?: Trace | undefined
}

/** The stations of an item. One that fails is not told: whoever waits for it hears of that. */
export interface Trace {
  waits: (batch: string) => void
  leaves: (items: number) => void
  returns: () => void
}

/** Hears how many items leave together. */
export type OnBatch = (batch: string, items: number) => void

export interface BatchOptions<Item, Result> {
  /** What it is called where it is told of. */
  name: string
  onBatch?: OnBatch | undefined
  /** Does the work of a batch at once: one result for each item, in their order. At `deadline` nobody waits any more. */
  send: (items: Item[], deadline: number) => Promise<Result[]>
  /** How many items go together at most. */
  maxItems: number
  /** Items with equal keys are sent once, and share one result. */
  keyOf?: (item: Item) => string
  /** Whether a failure may be the fault of one item, so that the others deserve a try without it. */
  isOwnFault: (error: unknown) => boolean
  /** How long a caller waits for its result, and what it is told then. */
  patienceMs: number
  tooLate: (wasSent: boolean) => Error
}

/** The caller went away before its item was sent: nothing was done. */
export class CallerGone extends Error {
  override name = 'CallerGone'
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

// More of them would gain nothing, and who came first must not wait for all who keep coming.
const MOST_TURNS = 3
// With thousands of callers whose time is up one after the other, not one alarm for each of them.
const SHORTEST_ALARM_MS = 20

/**
 * Calls that arrive while a batch is under way leave together in the next one. No timer holds anything back for company:
 * an idle batcher sends at the next turn of the event loop, a busy one sends larger batches. A batch that is under way is
 * never joined: it may have been carried out before the caller came.
 */
export class Batcher<Item, Result> {
  readonly #options: BatchOptions<Item, Result>
  #waiting: Entry<Item, Result>[] = []
  #underWay: Entry<Item, Result>[] = []
  readonly #waitingByKey = new Map<string, Entry<Item, Result>>()
  #busy = false
  #submitted = 0
  #alarm: NodeJS.Timeout | undefined
  #alarmAt = Number.POSITIVE_INFINITY

  constructor(options: BatchOptions<Item, Result>) {
    this.#options = options
  }

  submit(item: Item, caller?: Caller): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const deadline = (caller?.begun ?? performance.now()) + this.#options.patienceMs
    this.#entryFor(item).waiters.push({ caller, deadline, resolve, reject })
    this.#submitted++
    caller?.trace?.waits(this.#options.name)
    // A later caller may have arrived at the service earlier: its body or its key took longer.
    if (deadline < this.#alarmAt) this.#setAlarm(deadline)
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
    void this.#carryOutAll()
  }

  async #carryOutAll() {
    while (this.#waiting.length > 0) {
      await this.#gather()
      this.#underWay = this.#waiting.splice(0, this.#options.maxItems)
      for (const { key } of this.#underWay) if (key !== undefined) this.#waitingByKey.delete(key)
      await this.#carryOut(this.#underWay)
    }
    this.#underWay = []
    this.#busy = false
    clearTimeout(this.#alarm)
    this.#alarmAt = Number.POSITIVE_INFINITY
  }

  /** Lets in what has arrived already: a batch leaves when a turn of the event loop has brought nothing more for it. */
  async #gather() {
    for (let turn = 0, before = -1; turn < MOST_TURNS && before !== this.#submitted; turn++) {
      before = this.#submitted
      await nextTurn()
    }
  }

  async #carryOut(entries: Entry<Item, Result>[]): Promise<void> {
    const batch = entries.filter((entry) => this.#isWanted(entry))
    if (batch.length === 0) return
    this.#tellOf(batch)
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
        await this.#carryOut(batch.slice(0, middle))
        await this.#carryOut(batch.slice(middle))
      } else for (const { waiters } of batch) for (const { reject } of waiters) reject(error)
    }
  }

  #tellOf(batch: Entry<Item, Result>[]) {
    const { name, onBatch } = this.#options
    onBatch?.(name, batch.length)
    for (const { waiters } of batch) for (const { caller } of waiters) caller?.trace?.leaves(batch.length)
  }

  /** Whether anybody still waits for this; who does not is told why. */
  #isWanted({ waiters }: Entry<Item, Result>) {
    const now = performance.now()
    let isWanted = false
    for (const { caller, deadline, reject } of waiters) {
      if (caller?.socket.destroyed) reject(new CallerGone('nobody waits for this any more'))
      else if (deadline <= now) reject(this.#options.tooLate(false))
      else isWanted = true
    }
    return isWanted
  }

  /** Ends the wait of those whose time is up, sent or not, and comes back for the next of them. */
  #tellTheLate() {
    const now = performance.now()
    let next = now + this.#options.patienceMs
    const tell = (entry: Entry<Item, Result>, wasSent: boolean) => {
      entry.waiters = entry.waiters.filter(({ deadline, reject }) => {
        if (deadline <= now) reject(this.#options.tooLate(wasSent))
        else next = Math.min(next, deadline)
        return deadline > now
      })
    }
    for (const entry of this.#underWay) tell(entry, true)
    for (const entry of this.#waiting) tell(entry, false)
    this.#setAlarm(Math.max(next, now + SHORTEST_ALARM_MS))
  }

  #setAlarm(at: number) {
    clearTimeout(this.#alarm)
    this.#alarmAt = at
    this.#alarm = setTimeout(() => this.#tellTheLate(), at - performance.now()).unref()
  }
}

function latestDeadline(batch: Entry<unknown, never>[]) {
  let latest = 0
  for (const { waiters } of batch) for (const { deadline } of waiters) if (deadline > latest) latest = deadline
  return latest
}
