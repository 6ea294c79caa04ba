import pg from 'pg'

/** A statement with a name is prepared once per connection, then only bound. */
export interface Statement {
  name?: string
  text: string
  values?: unknown[]
}

export interface Queryable {
  query: <Row extends pg.QueryResultRow>(statement: Statement) => Promise<Row[]>
}

/** Statements that stand or fall together. */
export interface Transaction extends Queryable {
  /** Told apart from a pool, on which each statement stands alone. */
  readonly isAtomic: true
}

export interface Transactional {
  transaction: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
}

/** The database did not answer, or not in time: the caller may try again later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** The database refused one of the values that the statement brought. Nothing was done. */
export class ValueRefused extends Error {
  override name = 'ValueRefused'
}

/** Every connection of this process is busy with other statements, and stayed so. */
export class DatabaseBusy extends Error {
  override name = 'DatabaseBusy'
}

// The planner would settle on reading a table whole while that is empty, and keep to it when it is not any more.
const BEGIN = 'begin; set local enable_seqscan = off'
const MAX_CONNECTIONS = 10
// Long enough for a busy moment, short enough that a caller soon hears of a lost database.
const CONNECT_TIMEOUT_MS = 700
const STATEMENT_TIMEOUT_MS = 5_000
// Covers a server that went silent and can't cut its own statement off.
export const ANSWER_TIMEOUT_MS = 6_000
// A process that freezes between two statements must not keep from others what it has locked.
const IDLE_IN_TRANSACTION_MS = 5_000

// SQLSTATE classes and codes of a server that can't serve now; any other code is a fault in a statement of ours.
const UNAVAILABLE = /^(?:08|28|3D|53|57|58|25006)/

export const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return BigInt
    return pg.types.getTypeParser(oid, format) as unknown
  },
}

/** The writable PostgreSQL behind a pool of connections. */
export class Database implements Queryable, Transactional, AsyncDisposable {
  readonly #pool: pg.Pool
  #connected = 0

  constructor(url: string, onConnectionLost: (error: Error) => void) {
    this.#pool = new pg.Pool({
      ...connectionSettings(url),
      types,
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    })
    // An idle connection that breaks is no request's fault; unheard, the event would end the process.
    this.#pool.on('error', onConnectionLost)
    this.#pool.on('connect', () => this.#connected++)
    this.#pool.on('remove', () => this.#connected--)
  }

  async query<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]> {
    try {
      const { rows } = await this.#pool.query<Row>(statement)
      return rows
    } catch (error) {
      throw this.#meaningOf(error, statement)
    }
  }

  /**
   * Does all of the work in one transaction, on one connection. Only work that is idempotent as a whole may be given: when
   * the connection is lost during the commit, nobody knows whether it was carried out, and the way out is to do it again.
   */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw this.#meaningOf(error, { text: 'connect' })
    })
    // A connection that breaks fails the next statement; unheard, the event would end the process.
    const ignore = () => {}
    client.on('error', ignore)
    const run = async <Row extends pg.QueryResultRow>(statement: Statement) => {
      const { rows } = await client.query<Row>(statement).catch((error: unknown) => {
        throw meaningOf(error, statement)
      })
      return rows
    }
    let isSound = false
    try {
      await run({ text: BEGIN })
      const result = await work({ isAtomic: true, query: run })
      await run({ text: 'commit' })
      isSound = true
      return result
    } catch (error) {
      // Of this refusal alone it is known how it leaves the connection.
      if (error instanceof ValueRefused)
        isSound = await run({ text: 'rollback' }).then(
          () => true,
          () => false,
        )
      throw error
    } finally {
      client.off('error', ignore)
      client.release(!isSound)
    }
  }

  async [Symbol.asyncDispose]() {
    await this.#pool.end()
  }

  #meaningOf(error: unknown, statement: Statement) {
    const isPoolTimeout = error instanceof Error && error.message === 'timeout exceeded when trying to connect'
    return isPoolTimeout && this.#connected >= MAX_CONNECTIONS
      ? new DatabaseBusy('every connection is busy', { cause: error })
      : meaningOf(error, statement)
  }
}

/** No error of the driver leaves storage as it is. */
export function meaningOf(error: unknown, { name, text }: Statement) {
  if (isUnavailable(error)) return new DatabaseUnavailable('the database is unavailable', { cause: error })
  const message = `the statement ${name ?? text} failed`
  return isFaultOfValue(error) ? new ValueRefused(message, { cause: error }) : new Error(message, { cause: error })
}

/** What every connection of ours has in common. */
export function connectionSettings(url: string) {
  return {
    connectionString: url,
    application_name: 'petstore',
    keepAlive: true,
    // The planner can't know how long the lists in our batches are: it takes them for large ones, and would plan each of
    // them anew and compile it, which is more work than carrying it out.
    options: '-c jit=off -c plan_cache_mode=force_generic_plan',
  } satisfies pg.ClientConfig
}

/** The SQLSTATE classes of data exceptions and of violated constraints. */
function isFaultOfValue(error: unknown) {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
}

function isUnavailable(error: unknown) {
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '')
  // Whatever else the driver throws tells of a connection: refused, reset, timed out, ended. A fault of ours does not.
  return !(error instanceof TypeError)
}
