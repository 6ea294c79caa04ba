import type pg from 'pg'

/** A statement with a name is prepared once per connection, then only bound. */
export interface Statement {
  name?: string
  text: string
  values?: unknown[]
}

export interface Queryable {
  /** For reads: it may be sent again. By `deadline` it has ended. */
  query: <Row extends pg.QueryResultRow>(statement: Statement, deadline?: number) => Promise<Row[]>
}

export interface Writable extends Queryable {
  /** For what may be sent again, since it does nothing when it was carried out before. */
  write: <Row extends pg.QueryResultRow>(statement: Statement, deadline?: number) => Promise<Row[]>
  /** Not sent again when nobody knows whether it was carried out: it fails with `OutcomeUnknown` then. */
  writeOnce: <Row extends pg.QueryResultRow>(statement: Statement, deadline?: number) => Promise<Row[]>
}

/** Statements that stand or fall together. */
export interface Transaction extends Queryable {
  /** Told apart from a pool, on which each statement stands alone. */
  readonly isAtomic: true
}

export interface Transactional {
  /**
   * Does all of the work in one transaction. Only work that is idempotent as a whole may be given: when the connection is
   * lost during the commit, nobody knows whether it was carried out, and it is done again.
   */
  transaction: <T>(work: (transaction: Transaction) => Promise<T>, deadline?: number) => Promise<T>
}

/**
 * For a transaction that looks up little in a table that may be empty now and large soon: the planner would settle on
 * reading it whole, and keep to that until somebody analyses it.
 */
export const WITHOUT_SEQ_SCAN: Statement = { text: 'set local enable_seqscan = off' }
