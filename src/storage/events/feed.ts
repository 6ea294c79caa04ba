import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { FeedPosition } from '../../domain/types/event.ts'
import type { Caller, OnBatch } from '../../lib/batch.ts'
import { counter, gauge, type Metric } from '../../lib/metric.ts'
import { type FeedTimes, TIMES, type Times } from '../../lib/times.ts'
import { DatabaseUnavailable } from '../postgres/failures.ts'
import { Listener, type ListenerEvents } from '../postgres/listener.ts'
import { LOCKS } from '../postgres/locks.ts'
import { type Queryable, WAIT_FOR_STANDBY } from '../postgres/statement.ts'
import { beginEpoch } from './epoch.ts'
import { type NewestPage, type NewestRequest, openNewestPages } from './newest.ts'
import { type FeedPage, type FeedRequest, openFeedPages } from './pages.ts'
import { FEED_CHANNEL, HEAD_STATEMENT, type Head, parseHead, SEQUENCE_STATEMENT } from './sequencer.ts'
import { busyStatement, stalledStatement } from './sessions.ts'
import { type Waiter, Waits } from './waits.ts'

const UNIQUE_VIOLATION = '23505'

export interface FeedOptions {
  /** Only reads: another process gives events their numbers. */
  isReader?: boolean
  /** There are new events. */
  onAdvance?: () => void
  onLost?: (error: Error | undefined) => void
  onRecovered?: () => void
  /** Pets were added without events, so a new epoch has begun. */
  onUnrecorded?: () => void
  onBatch?: OnBatch | undefined
  times?: Pick<Times, 'feed' | 'listener'>
}

/** All events of the store in one order. Each process sequences those of all, unless it only reads, and knows where the feed ends. */
export class Feed implements AsyncDisposable {
  readonly metrics: readonly Metric[]
  readonly #sequencerMetrics = [
    counter('petstore_feed_events_total', 'Events that this process has given their number.', () => this.#sequenced),
    // Grows whatever the reason: a connection that is lost, a statement that fails or one that waits for a lock.
    gauge(
      'petstore_feed_lag_seconds',
      'How long ago this process last found that every committed event had its number.',
      () => this.lagMs / 1_000,
    ),
    gauge('petstore_feed_waiting_requests', 'Requests that wait for the next event.', () => this.#waits.size),
  ]
  readonly #db: Queryable
  readonly #read: (request: FeedRequest, caller?: Caller) => Promise<FeedPage | undefined>
  readonly #readNewest: (request: NewestRequest, caller?: Caller) => Promise<NewestPage | undefined>
  readonly #listener: Listener
  readonly #isReader: boolean
  readonly #onAdvance: () => void
  readonly #onUnrecorded: () => void
  readonly #times: FeedTimes
  readonly #waits = new Waits()
  #head: Head | undefined
  /** The latest message on a connection that is not ready yet. */
  #received: Head | undefined
  #refreshing: Promise<void> | undefined
  #isLeader = false
  #triedAt = Number.NEGATIVE_INFINITY
  #pid: number | undefined
  /** Since when a statement on the connection of the feed has had no response. */
  #pendingSince: number | undefined
  #watchdog: NodeJS.Timeout | undefined
  #hasLooked = false
  #sequenced = 0
  #completeAt = performance.now()
  /** When an event was last added, by any process. */
  #advancedAt = performance.now()

  constructor(
    db: Queryable,
    url: string,
    { isReader = false, onAdvance = () => {}, onBatch, times = TIMES, ...events }: FeedOptions = {},
  ) {
    const { onLost = () => {}, onRecovered = () => {}, onUnrecorded = () => {} } = events
    this.#db = db
    this.#onUnrecorded = onUnrecorded
    this.#times = times.feed
    this.#isReader = isReader
    this.#onAdvance = onAdvance
    const connected = gauge('petstore_feed_connected', 'Processes that are connected for the feed.', () =>
      this.#listener.listening ? 1 : 0,
    )
    this.metrics = [connected, ...(isReader ? [] : this.#sequencerMetrics)]
    this.#read = openFeedPages(db, () => this.head, onBatch)
    this.#readNewest = openNewestPages(db, () => this.head, onBatch)
    const listening: ListenerEvents = {
      prepare: (session) => this.#timed(() => this.#prepare(session)),
      onMessage: (text) => this.#receive(parseHead(text)),
      onListening: (isAgain) => {
        if (isAgain) onRecovered()
      },
      onLost: (error) => {
        this.#isLeader = false
        onLost(error)
      },
    }
    this.#listener = new Listener(url, FEED_CHANNEL, listening, times.listener)
  }

  /** The first attempt to connect may wait for the standby. A process that serves does not. */
  async start() {
    this.#watchdog = setInterval(() => void this.#watch(), this.#times.silentMs / 4).unref()
    await Promise.race([this.#listener.start(), sleep(this.#times.startMs, undefined, { ref: false })])
  }

  /** The database was lost, which the connection of the feed may not have noticed. */
  distrust(error: Error) {
    this.#listener.reconnect(error)
  }

  async [Symbol.asyncDispose]() {
    clearInterval(this.#watchdog)
    this.endWaits()
    await this.#listener[Symbol.asyncDispose]()
  }

  /** Where the feed ends. All before it is committed, and on the standby. */
  get head(): Head {
    if (!this.#head) throw new DatabaseUnavailable('the end of the feed is not known yet')
    return this.#head
  }

  /** How long ago this process last found that every committed event had its number. */
  get lagMs() {
    return performance.now() - this.#completeAt
  }

  /** The position after all events of now. */
  get end(): FeedPosition {
    const { sequence, pageToken } = this.head
    return { sequence, pageToken }
  }

  /** Reads a page. Undefined if the position that it begins at is no longer in the feed. */
  async list(request: FeedRequest, caller?: Caller) {
    await this.#reach(request.after)
    return this.#read(request, caller)
  }

  /** Reads a page that begins with the newest event. Undefined if the position that it begins before is no longer in the feed. */
  async newest(request: NewestRequest, caller?: Caller) {
    await this.#reach(request.before)
    return this.#readNewest(request, caller)
  }

  /** Another process may have been notified a moment earlier, and have issued the cursor with this position. */
  async #reach(position: FeedPosition | undefined) {
    if (position && position.sequence > this.head.sequence) await this.#refresh()
  }

  /** Whether one more request of this client can wait. */
  canWait(chainId: string) {
    return this.#waits.hasRoom(chainId)
  }

  /**
   * Returns when there is an event after this number, when the signal aborts, or when no more waiting is possible. True if it ended only
   * because the key has changed.
   */
  async wait(after: bigint, signal: AbortSignal, waiter: Waiter) {
    return this.head.sequence <= after && (await this.#waits.wait(after, signal, waiter))
  }

  /** Ends the waits of a key that has changed, so that it is checked again. */
  noteKeyChange(keyId: string) {
    this.#waits.noteKeyChange(keyId)
  }

  /** From now on nothing waits. */
  endWaits() {
    this.#waits.end()
  }

  /**
   * Gives new events their numbers. The process that holds the lock does it each time, the others now and then: the lock is a hint
   * that saves work, and nothing relies on it.
   */
  async sequence() {
    if (!this.#listener.listening || this.#isResting) return
    await this.#timed(() => this.#sequence()).catch((error: unknown) => {
      // The loss of the connection has a line of its own in the log.
      if (this.#listener.listening) throw error
    })
  }

  /** Whether there was no event for a while, and this process has looked a moment ago: looking is most of what an idle store costs. */
  get #isResting() {
    const { idleAfterMs, idleMs } = this.#times
    const now = performance.now()
    return now - this.#advancedAt >= idleAfterMs && now - this.#completeAt < idleMs
  }

  async #sequence() {
    if (!this.#isLeader) {
      if (performance.now() - this.#triedAt < this.#times.followerMs) return
      this.#triedAt = performance.now()
      const [row] = await this.#listener.query<{ taken: boolean }>({
        text: 'select pg_try_advisory_lock($1) as taken',
        values: [LOCKS.sequencer],
      })
      this.#isLeader = row?.taken ?? false
    }
    const begun = performance.now()
    const [row] = await this.#listener.query<{ events: number }>(SEQUENCE_STATEMENT).catch((error: unknown) => {
      // Another process was faster. Nothing was done.
      if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) return []
      throw error
    })
    this.#sequenced += row?.events ?? 0
    this.#completeAt = begun
  }

  /**
   * Reads where the feed ends, on a new connection. After a crash PostgreSQL shows pages whose commit was never confirmed; they are not
   * shown to clients before they are on the standby.
   */
  async #prepare(session: Queryable) {
    this.#pid = undefined
    // The planner would scan tables that are small now and large soon.
    const [own] = await session.query<{ pid: number }>({
      text: `select pg_backend_pid() as pid, set_config('enable_seqscan', 'off', false)`,
    })
    this.#pid = own?.pid
    const [stalled] = await session.query(stalledStatement(this.#times.stalledMs))
    if (stalled) throw new DatabaseUnavailable('commits are not being acknowledged (standby down?)')
    if (!this.#isReader) await this.#beginEpoch(session)
    await session.query(WAIT_FOR_STANDBY)
    this.#received = undefined
    const head = await headOf(session)
    this.#head = undefined // after a restore it is another one, and may be lower
    this.advance(head)
    this.advance(this.#received)
  }

  async #beginEpoch(session: Queryable) {
    // Once: while this process runs, no other version takes the place of all processes.
    const reason = await beginEpoch(session, !this.#hasLooked)
    this.#hasLooked = true
    if (reason === 'unrecorded') this.#onUnrecorded()
  }

  async #timed(work: () => Promise<void>) {
    this.#pendingSince = performance.now()
    try {
      await work()
    } finally {
      this.#pendingSince = undefined
    }
  }

  /** A connection can be cut off without a sign: its statement then has no response, and PostgreSQL is not at work on it. */
  async #watch() {
    const since = this.#pendingSince
    if (since === undefined || performance.now() - since < this.#times.silentMs) return
    // A database that does not respond here either is reported by others.
    const busy = await this.#db.query(busyStatement(this.#pid)).catch(() => undefined)
    if (busy?.length !== 0 || this.#pendingSince !== since) return
    const seconds = Math.round((performance.now() - since) / 1_000)
    this.#listener.reconnect(new DatabaseUnavailable(`the connection has been silent for ${seconds} s`))
  }

  #receive(head: Head | undefined) {
    if (this.#listener.listening) this.advance(head)
    else this.#received = head
  }

  /** Requests that arrive together share it. The connection may be waiting for the standby. */
  async #refresh() {
    this.#refreshing ??= headOf(this.#listener)
      .then((head) => this.advance(head))
      .finally(() => {
        this.#refreshing = undefined
      })
    const late = sleep(this.#times.refreshMs, false, { ref: false })
    const isRead = await Promise.race([this.#refreshing.then(() => true), late])
    if (!isRead) throw new DatabaseUnavailable('the end of the feed could not be read in time')
  }

  /** The feed ends here, or later. The caller knows that this page is on the standby: clients see its events from now on. */
  advance(head: Head | undefined) {
    if (!head || (this.#head && head.epoch === this.#head.epoch && head.sequence <= this.#head.sequence)) return
    this.#head = head
    this.#advancedAt = performance.now()
    this.#waits.advance(head)
    this.#onAdvance()
  }
}

async function headOf(session: Queryable) {
  const [row] = await session.query<{ head: string }>(HEAD_STATEMENT)
  return parseHead(row?.head ?? '')
}
