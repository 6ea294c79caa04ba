import pg from 'pg'
import type { UnsafeSetting } from '../../lib/unsafe-settings.ts'
import { connectionSettings, types } from './connection.ts'
import { DatabaseBusy, meaningOf, OutcomeUnknown, SchemaOutdated, unavailable } from './failures.ts'
import { Presence } from './presence.ts'
import { probeCommit, probePrimary, UnsafeDatabase } from './probe.ts'
import { CommitInDoubt, FailedAttempt, pauseBefore, Retries } from './retry.ts'
import type { Queryable, Statement, Transaction, Transactional, Writable } from './statement.ts'
import { inTransaction, sessionOn } from './transaction.ts'

export interface DatabaseOptions {
  /** How long after the loss of the primary statements wait for it. A planned switchover takes three seconds. */
  holdMs?: number
  /** What it may lack that is needed to keep what it confirms. */
  allowUnsafe?: readonly UnsafeSetting[]
  onFound?: () => void
  /** The primary is there, but what is written stays unconfirmed: its standby may be away. */
  onStalled?: (error: Error) => void
  /** Commits are acknowledged again. */
  onResumed?: () => void
  /** Whether the schema lacks something that a statement needs. Called when that changes. */
  onSchema?: (isOutdated: boolean) => void
}

/** How a piece of work is treated when it fails. */
type Kind = 'read' | 'write' | 'write once'

/** From its arrival, a request has ended after this, whatever the database does. */
export const REQUEST_DEADLINE_MS = 10_000
const HOLD_MS = 5_000
const MAX_CONNECTIONS = 10
// Long enough for a busy moment, short enough that a caller soon hears of a lost database.
const CONNECT_TIMEOUT_MS = 700
const STATEMENT_TIMEOUT_MS = 5_000
// A process that freezes between two statements must not keep from others what it has locked.
const IDLE_IN_TRANSACTION_MS = 5_000

// All warnings, and those of a server that shuts down while the statement waits for a standby.
const WARNING = /^(?:01|57)/

/** The writable PostgreSQL behind a pool of connections. */
export class Database implements Writable, Transactional, AsyncDisposable {
  readonly #pool: pg.Pool
  readonly #primary: Presence
  /** Whether commits come to an end. One that waits for a standby waits on when nobody does, and each keeps a session. */
  readonly #commits: Presence
  readonly #probe: () => Promise<void>
  readonly #retries = new Retries()
  readonly #generationOf = new WeakMap<pg.ClientBase, number>()
  readonly #warned = new WeakSet<pg.ClientBase>()
  readonly #onSchema: (isOutdated: boolean) => void
  /** The text of the statement that found the schema outdated, until it succeeds. */
  #outdatedFor: string | undefined
  #connected = 0

  constructor(
    url: string,
    onLost: (error: Error) => void,
    { holdMs = HOLD_MS, allowUnsafe = [], ...events }: DatabaseOptions = {},
  ) {
    const { onFound = () => {}, onStalled = () => {}, onResumed = () => {}, onSchema = () => {} } = events
    this.#onSchema = onSchema
    this.#probe = () => probePrimary(url, allowUnsafe)
    this.#primary = new Presence({ probe: this.#probe, holdMs, onLost, onFound })
    this.#commits = new Presence({
      probe: (signal) => probeCommit(url, signal),
      holdMs,
      onLost: onStalled,
      onFound: onResumed,
    })
    this.#pool = new pg.Pool({
      ...connectionSettings(url),
      types,
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    })
    // An idle connection that breaks is no request's fault; unheard, the event would end the process.
    this.#pool.on('error', (error, client) => this.#primary.lose(error, this.#generationOf.get(client) ?? 0))
    this.#pool.on('connect', (client) => this.#begin(client))
    this.#pool.on('remove', () => this.#connected--)
  }

  /** Looks for the primary. One that pets must not be entrusted to is refused; one that is away is a loss like any other. */
  async start() {
    try {
      await this.#probe()
    } catch (error) {
      if (error instanceof UnsafeDatabase) throw error
      this.#primary.lose(error as Error, this.#primary.generation)
    }
  }

  /** Why the primary is lost; undefined while it is there. */
  get lostBecause() {
    return this.#primary.lostBecause
  }

  /** Whether the loss is so young that calls still wait for its end. */
  get isHolding() {
    return this.#primary.isHolding
  }

  /** Whether the primary is there, but confirms no commit. */
  get isStalled() {
    return isLost(this.#commits)
  }

  /** What has become of statements: counted since the start, but for `held`, which wait just now. */
  get counts() {
    const held = this.#primary.held + this.#commits.held
    const holds = this.#primary.holds + this.#commits.holds
    return { retries: this.#retries.counts, held, holds }
  }

  /** Its connections, and how many statements wait for one, just now. */
  get pool() {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
  }

  query<Row extends pg.QueryResultRow>(statement: Statement, deadline?: number): Promise<Row[]> {
    return this.#carryOut((session) => session.query<Row>(statement), statement, 'read', deadline)
  }

  write<Row extends pg.QueryResultRow>(statement: Statement, deadline?: number): Promise<Row[]> {
    return this.#carryOut((session) => session.query<Row>(statement), statement, 'write', deadline)
  }

  writeOnce<Row extends pg.QueryResultRow>(statement: Statement, deadline?: number): Promise<Row[]> {
    return this.#carryOut((session) => session.query<Row>(statement), statement, 'write once', deadline)
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>, deadline?: number): Promise<T> {
    return this.#carryOut((session) => inTransaction(session, work), { text: 'commit' }, 'write', deadline)
  }

  transactionOnce<T>(work: (transaction: Transaction) => Promise<T>, deadline?: number): Promise<T> {
    return this.#carryOut((session) => inTransaction(session, work), { text: 'commit' }, 'write once', deadline)
  }

  async [Symbol.asyncDispose]() {
    this.#primary[Symbol.dispose]()
    this.#commits[Symbol.dispose]()
    await this.#pool.end()
  }

  /** Does the work on one connection, and on another if the first failed and the work may be repeated, in time. */
  async #carryOut<T>(
    work: (session: Queryable) => Promise<T>,
    statement: Statement,
    kind: Kind,
    deadline = performance.now() + REQUEST_DEADLINE_MS,
  ): Promise<T> {
    this.#retries.earn()
    let isInDoubt = false
    for (let attempt = 1; ; attempt++) {
      await this.#untilThere(kind, deadline)
      try {
        const result = await this.#attempt(work, kind, deadline)
        if (this.#outdatedFor !== undefined) this.#noteSuccess(statement)
        return result
      } catch (error) {
        // Whoever is told that the database is busy takes it for granted that nothing was done.
        if (error instanceof DatabaseBusy && isInDoubt) throw unavailable(error)
        if (!(error instanceof FailedAttempt)) throw error
        isInDoubt ||= error.failureClass === 'ambiguous'
        if (!this.#mayTryAgain(error, attempt, kind, deadline)) throw this.#meaningOf(error, statement, kind)
      }
      // The probe says when to go on after a loss. All else that failed together must not come back together.
      if (!this.#primary.lostBecause) await pauseBefore(attempt, deadline)
    }
  }

  /** Waits for what the work needs, as long as anybody may. */
  async #untilThere(kind: Kind, deadline: number) {
    const needed = kind === 'read' ? [this.#primary] : [this.#primary, this.#commits]
    for (let absent = needed.find(isLost); absent; absent = needed.find(isLost))
      if (!(await absent.wait(deadline))) throw unavailable(absent.lostBecause)
  }

  #mayTryAgain({ failureClass }: FailedAttempt, attempt: number, kind: Kind, deadline: number) {
    // Of a write that must not be repeated the server must be able to say in time that it has given it up.
    const needed = kind === 'write once' ? STATEMENT_TIMEOUT_MS : 0
    if (performance.now() + needed >= deadline) return false
    return this.#retries.take(failureClass, attempt, kind !== 'write once')
  }

  async #attempt<T>(work: (session: Queryable) => Promise<T>, kind: Kind, deadline: number) {
    let { generation } = this.#primary
    const commitsGeneration = this.#commits.generation
    let client: pg.PoolClient | undefined
    try {
      client = await this.#connect()
      generation = this.#primary.generation
      const result = await work(sessionOn(client, deadline))
      if (this.#warned.has(client)) throw new FailedAttempt(new CommitInDoubt('a warning came with the commit'), true)
      client.release()
      return result
    } catch (error) {
      // Ends a connection that failed. The driver closes the socket, and never asks the server to cancel: a write that is
      // cancelled in its wait for the standby would be reported as done.
      client?.release(error instanceof FailedAttempt || this.#warned.has(client))
      if (error instanceof FailedAttempt && error.loss) {
        if (error.loss === 'silence' && kind !== 'read') this.#commits.lose(error.cause as Error, commitsGeneration)
        this.#primary.lose(error.cause as Error, generation)
      }
      throw error
    }
  }

  /** A connection that was begun after the last loss. Those from before may be dead without knowing it. */
  async #connect() {
    for (;;) {
      const { generation, lostBecause } = this.#primary
      if (lostBecause) throw new FailedAttempt(lostBecause, false)
      const client = await this.#pool.connect().catch((error: unknown) => {
        const isPoolTimeout = error instanceof Error && error.message === 'timeout exceeded when trying to connect'
        if (isPoolTimeout && this.#connected >= MAX_CONNECTIONS)
          throw new DatabaseBusy('every connection is busy', { cause: error })
        throw new FailedAttempt(error, false)
      })
      if (this.#generationOf.get(client) === generation && this.#primary.generation === generation) return client
      client.release(true)
    }
  }

  #begin(client: pg.PoolClient) {
    this.#connected++
    this.#generationOf.set(client, this.#primary.generation)
    client.on('error', () => {}) // fails the statement under way; unheard, the event would end the process
    client.on('notice', ({ code = '' }) => {
      if (WARNING.test(code)) this.#warned.add(client)
    })
  }

  #meaningOf({ cause, failureClass }: FailedAttempt, statement: Statement, kind: Kind) {
    if (failureClass === 'ambiguous' && kind === 'write once')
      return new OutcomeUnknown('the database was lost while it was writing', { cause })
    if (failureClass !== 'permanent') return unavailable(cause)
    const meaning = meaningOf(cause, statement)
    if (meaning instanceof SchemaOutdated && this.#outdatedFor === undefined) {
      this.#outdatedFor = statement.text
      this.#onSchema(true)
    }
    return meaning
  }

  #noteSuccess({ text }: Statement) {
    if (text !== this.#outdatedFor) return
    this.#outdatedFor = undefined
    this.#onSchema(false)
  }
}

function isLost({ lostBecause }: Presence) {
  return lostBecause !== undefined
}
