import type pg from 'pg'

/** A statement with a name is prepared once per connection, then only bound. */
export interface Statement {
  name?: string
  text: string
  values?: unknown[]
}

export interface Queryable {
  /** For reads, which may be sent again. Ends by `deadline`. */
  query: <Row extends pg.QueryResultRow>(statement: Statement, deadline?: number) => Promise<Row[]>
}

export interface Writable extends Queryable {
  /** For writes that may be sent again, since repeating them changes nothing. */
  write: <Row extends pg.QueryResultRow>(statement: Statement, deadline?: number) => Promise<Row[]>
  /** For writes that must not be sent again when their outcome is unknown: they fail with `OutcomeUnknown`. */
  writeOnce: <Row extends pg.QueryResultRow>(statement: Statement, deadline?: number) => Promise<Row[]>
}

/** Statements that are committed together, or not at all. */
export interface Transaction extends Queryable {
  /** Distinguishes it from a pool, on which each statement is a transaction of its own. */
  readonly isAtomic: true
}

export interface Transactional {
  /**
   * Does all of the work in one transaction. For work that is idempotent as a whole: when the connection is lost during the
   * commit, the outcome is unknown, and the work is repeated.
   */
  transaction: <T>(work: (transaction: Transaction) => Promise<T>, deadline?: number) => Promise<T>
  /**
   * Commits all of the work at most once. It runs again only when the attempt before has certainly been rolled back, for
   * example by a deadlock. When the commit was sent and not confirmed, it fails with `OutcomeUnknown`.
   */
  transactionOnce: <T>(work: (transaction: Transaction) => Promise<T>, deadline?: number) => Promise<T>
}

/**
 * A row that another process has stored may be visible and not yet on the standby: after a crash, PostgreSQL shows rows whose
 * commit was never confirmed. A message in the WAL makes this commit wait for the standby too, and so for all earlier ones.
 */
export const WAIT_FOR_STANDBY: Statement = { text: `select pg_logical_emit_message(true, 'petstore', 'replay')` }

/**
 * For a transaction that reads few rows of a table that may be empty now and large soon: the planner would choose to scan
 * all of it, and keep that plan until the table is analysed.
 */
export const WITHOUT_SEQ_SCAN: Statement = { text: 'set local enable_seqscan = off' }
