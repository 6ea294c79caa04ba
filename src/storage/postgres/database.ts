import pg from 'pg'
import { toError } from '../../lib/errors.ts'
import type { StoreAddress } from '../../lib/ids/store-address.ts'
import { type DatabaseTimes, REQUEST_TIMES, TIMES } from '../../lib/times.ts'
import { Availability } from './availability.ts'
import { connectionSettings, types } from './connection.ts'
import { DatabaseBusy, DatabaseRejects, meaningOf, OutcomeUnknown, SchemaOutdated, unavailable } from './failures.ts'
import { type Lane, openLanes } from './lanes.ts'
import { databaseMetrics } from './metrics.ts'
import { probeCommit, probePrimary, type Required, UnsafeDatabase } from './probe.ts'
import { CommitInDoubt, FailedAttempt, pauseBefore, Retries } from './retry.ts'
import type { Queryable, Statement, Transaction, Transactional, Writable } from './statement.ts'
import { inTransaction, sessionOn } from './transaction.ts'

export interface DatabaseOptions {
  /** How many connections it has, divided among reads, writes and background work. */
  connections?: number
  times?: DatabaseTimes
  required?: Required
  onRecovered?: () => void
  /** The primary is available, but commits are not acknowledged: its standby may be down. */
  onStalled?: (error: Error) => void
  /** Commits are acknowledged again. */
  onResumed?: () => void
  /** Called when a statement finds the schema outdated, and when that statement succeeds again. */
  onSchema?: (isOutdated: boolean) => void
}

/** How a piece of work is treated when it fails. */
type Kind = 'read' | 'write' | 'write once'

interface ExecuteOptions {
  kind: Kind
  lane: Lane
  deadline: number | undefined
}

const CONNECTIONS = 10
const COMMIT: Statement = { text: 'commit' }
const { requestMs } = REQUEST_TIMES

// The SQLSTATE classes of warnings: any, or of a server that shuts down while the statement waits for a standby.
const WARNING = /^(?:01|57)/

/** The writable PostgreSQL, through a pool of connections. */
export class Database implements Writable, Transactional, AsyncDisposable {
  /** The same operations with the connections for background work. */
  readonly background: Writable & Transactional
  readonly metrics = databaseMetrics(this)
  readonly #address: StoreAddress | undefined
  readonly #pool: pg.Pool
  readonly #lanes: ReturnType<typeof openLanes>
  readonly #primary: Availability
  /** Whether commits are acknowledged. One that waits for a standby keeps its session on the server, even if given up here. */
  readonly #commits: Availability
  readonly #probe: () => Promise<void>
  readonly #statementMs: number
  readonly #silenceMs: number
  readonly #retries = new Retries()
  readonly #generationOf = new WeakMap<pg.ClientBase, number>()
  readonly #warned = new WeakSet<pg.ClientBase>()
  readonly #onSchema: (isOutdated: boolean) => void
  /** While the first probe runs. */
  #starting: Promise<void> | undefined
  /** The text of the statement that found the schema outdated, until it succeeds. */
  #outdatedFor: string | undefined

  constructor(
    url: string,
    onLost: (error: Error) => void,
    { connections = CONNECTIONS, times = TIMES.database, required = { allowed: [] }, ...events }: DatabaseOptions = {},
  ) {
    const { onRecovered = () => {}, onStalled = () => {}, onResumed = () => {}, onSchema = () => {} } = events
    const { connectMs, laneMs, statementMs, silenceMs, idleInTransactionMs, holdMs, probeIntervalMs } = times
    this.#address = required.address
    this.#onSchema = onSchema
    this.#statementMs = statementMs
    this.#silenceMs = silenceMs
    this.#probe = () => probePrimary(url, required, times).catch((error: unknown) => this.#rethrowExplained(error))
    this.#primary = new Availability({ probe: this.#probe, holdMs, probeIntervalMs, onLost, onRecovered })
    this.#commits = new Availability({
      probe: (signal) => probeCommit(url, signal, times),
      holdMs,
      probeIntervalMs,
      onLost: onStalled,
      onRecovered: onResumed,
    })
    this.#pool = new pg.Pool({
      ...connectionSettings(url),
      types,
      max: connections,
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
    })
    // The loss of an idle connection fails no request. Without a listener, the event would end the process.
    this.#pool.on('error', (error, client) => this.#primary.lose(error, this.#generationOf.get(client) ?? 0))
    this.#pool.on('connect', (client) => this.#begin(client))
    this.#lanes = openLanes(connections, laneMs)
    const { background } = this.#lanes
    this.background = {
      query: (statement, deadline) => this.query(statement, deadline, background),
      write: (statement, deadline) => this.write(statement, deadline, background),
      writeOnce: (statement, deadline) => this.writeOnce(statement, deadline, background),
      transaction: (work, deadline) => this.transaction(work, deadline, background),
      transactionOnce: (work, deadline) => this.transactionOnce(work, deadline, background),
    }
  }

  /** Probes the primary; statements wait. If it can't be reached, it counts as lost; so does one that is unsafe, unless that is thrown. */
  async start({ throwsUnsafe = true } = {}) {
    const probing = this.#probe().catch((error: unknown) => {
      if (throwsUnsafe && error instanceof UnsafeDatabase) throw error
      this.#primary.lose(toError(error), this.#primary.generation)
    })
    this.#starting = probing.catch(() => {})
    await probing.finally(() => {
      this.#starting = undefined
    })
  }

  /** Why the primary is lost; undefined while it is available. */
  get downReason() {
    return this.#primary.downReason
  }

  /** Whether the loss is so recent that statements still wait for its end. */
  get isHolding() {
    return this.#primary.isHolding
  }

  /** Whether the primary is available, but acknowledges no commit. */
  get isStalled() {
    return isLost(this.#commits)
  }

  /** Counts of statements since the start; `waiting` is how many wait now. */
  get counts() {
    const waiting = this.#primary.waiting + this.#commits.waiting
    const waitsTotal = this.#primary.waitsTotal + this.#commits.waitsTotal
    return { retries: this.#retries.counts, waiting, waitsTotal }
  }

  /** The connections by state, and how many statements wait for one. */
  get pool() {
    const { totalCount, idleCount } = this.#pool
    const { reads, writes, background } = this.#lanes
    const waiting = reads.waiting + writes.waiting + background.waiting
    return { inUse: totalCount - idleCount, idle: idleCount, waiting }
  }

  query<Row extends pg.QueryResultRow>(statement: Statement, deadline?: number, lane = this.#lanes.reads) {
    return this.#execute((session) => session.query<Row>(statement), statement, { kind: 'read', lane, deadline })
  }

  write<Row extends pg.QueryResultRow>(statement: Statement, deadline?: number, lane = this.#lanes.writes) {
    return this.#execute((session) => session.query<Row>(statement), statement, { kind: 'write', lane, deadline })
  }

  writeOnce<Row extends pg.QueryResultRow>(statement: Statement, deadline?: number, lane = this.#lanes.writes) {
    return this.#execute((session) => session.query<Row>(statement), statement, { kind: 'write once', lane, deadline })
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>, deadline?: number, lane = this.#lanes.writes) {
    return this.#execute((session) => inTransaction(session, work), COMMIT, { kind: 'write', lane, deadline })
  }

  transactionOnce<T>(work: (transaction: Transaction) => Promise<T>, deadline?: number, lane = this.#lanes.writes) {
    return this.#execute((session) => inTransaction(session, work), COMMIT, { kind: 'write once', lane, deadline })
  }

  async [Symbol.asyncDispose]() {
    this.#primary[Symbol.dispose]()
    this.#commits[Symbol.dispose]()
    await this.#pool.end()
  }

  /** Does the work on one connection. If that fails, tries another, if the work may be repeated and there is time. */
  async #execute<T>(
    work: (session: Queryable) => Promise<T>,
    statement: Statement,
    { kind, lane, deadline = performance.now() + requestMs }: ExecuteOptions,
  ): Promise<T> {
    this.#retries.earn()
    let isInDoubt = false
    for (let attempt = 1; ; attempt++) {
      await this.#waitUntilAvailable(kind, deadline)
      try {
        const result = await this.#attempt(work, kind, lane, deadline)
        if (this.#outdatedFor !== undefined) this.#noteSuccess(statement)
        return result
      } catch (error) {
        // A client that learns that the database is busy assumes that nothing was done.
        if (error instanceof DatabaseBusy && isInDoubt) throw unavailable(error, this.#address)
        if (!(error instanceof FailedAttempt)) throw error
        isInDoubt ||= error.failureClass === 'ambiguous'
        if (!this.#mayTryAgain(error, attempt, kind, deadline)) throw this.#meaningOf(error, statement, kind)
      }
      // After a loss, the probe decides when to continue. Otherwise, statements that failed together must not be repeated together.
      if (!this.#primary.downReason) await pauseBefore(attempt, deadline)
    }
  }

  /** Waits for the primary, and before a write also until commits are acknowledged. Throws if that takes too long. */
  async #waitUntilAvailable(kind: Kind, deadline: number) {
    if (this.#starting) await this.#starting
    const needed = kind === 'read' ? [this.#primary] : [this.#primary, this.#commits]
    for (let absent = needed.find(isLost); absent; absent = needed.find(isLost))
      if (!(await absent.wait(deadline))) throw unavailable(absent.downReason)
  }

  #mayTryAgain({ failureClass }: FailedAttempt, attempt: number, kind: Kind, deadline: number) {
    // A write is sent again only if the server has time to report before the deadline that it cancelled the statement.
    const needed = kind === 'write once' ? this.#statementMs : 0
    if (performance.now() + needed >= deadline) return false
    return this.#retries.take(failureClass, attempt, kind !== 'write once')
  }

  async #attempt<T>(work: (session: Queryable) => Promise<T>, kind: Kind, lane: Lane, deadline: number) {
    await lane.enter()
    let { generation } = this.#primary
    const commitsGeneration = this.#commits.generation
    let client: pg.PoolClient | undefined
    try {
      client = await this.#connect()
      generation = this.#primary.generation
      const result = await work(sessionOn(client, deadline, this.#silenceMs))
      if (this.#warned.has(client)) throw new FailedAttempt(new CommitInDoubt('a warning came with the commit'), true)
      client.release()
      return result
    } catch (error) {
      // Closes a connection that failed. The driver never asks the server to cancel: a write that is cancelled while it waits for the
      // standby would be reported as done.
      client?.release(error instanceof FailedAttempt || this.#warned.has(client))
      if (error instanceof FailedAttempt && error.loss) {
        if (error.loss === 'silence' && kind !== 'read') this.#commits.lose(toError(error.cause), commitsGeneration)
        this.#primary.lose(toError(error.cause), generation)
      }
      throw error
    } finally {
      lane.leave()
    }
  }

  /** Returns a connection that was opened after the last loss. Earlier ones may be dead without a sign. */
  async #connect() {
    for (;;) {
      const { generation, downReason } = this.#primary
      if (downReason) throw new FailedAttempt(downReason, false)
      const client = await this.#open()
      if (this.#generationOf.get(client) === generation && this.#primary.generation === generation) return client
      client.release(true)
    }
  }

  async #open() {
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw new FailedAttempt(error, false)
    }
  }

  #begin(client: pg.PoolClient) {
    this.#generationOf.set(client, this.#primary.generation)
    client.on('error', () => {}) // fails the statement in flight; without a listener, the event would end the process
    client.on('notice', ({ code = '' }) => {
      if (WARNING.test(code)) this.#warned.add(client)
    })
  }

  #meaningOf({ cause, failureClass }: FailedAttempt, statement: Statement, kind: Kind) {
    if (failureClass === 'ambiguous' && kind === 'write once')
      return new OutcomeUnknown('the database was lost while it was writing', { cause })
    if (failureClass !== 'permanent') return unavailable(cause, this.#address)
    const meaning = meaningOf(cause, statement, this.#address)
    if (meaning instanceof SchemaOutdated && this.#outdatedFor === undefined) {
      this.#outdatedFor = statement.text
      this.#onSchema(true)
    }
    return meaning
  }

  /** Explains errors that the operator must act on. Other errors stay as they are. */
  #rethrowExplained(error: unknown): never {
    const explained = unavailable(error, this.#address)
    throw explained instanceof DatabaseRejects ? explained : error
  }

  #noteSuccess({ text }: Statement) {
    if (text !== this.#outdatedFor) return
    this.#outdatedFor = undefined
    this.#onSchema(false)
  }
}

function isLost({ downReason }: Availability) {
  return downReason !== undefined
}
