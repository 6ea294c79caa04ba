import { DatabaseBusy, DatabaseUnavailable } from '../storage/postgres/failures.ts'
import { pendingMigrations } from '../storage/postgres/migrate.ts'
import { UnsafeDatabase } from '../storage/postgres/probe.ts'
import type { Queryable } from '../storage/postgres/statement.ts'
import { DomainError } from './errors.ts'

/** A database that says so when its primary is lost. */
interface Loseable extends Queryable {
  readonly lostBecause: Error | undefined
  /** Whether calls still wait for its end. */
  readonly isHolding: boolean
}

// Whoever asks has more processes to ask; calls wait longer for a lost database than this.
const PATIENCE_MS = 1_000

/** Whether calls can be served: the database answers and has the schema that this version needs. */
export class Readiness {
  readonly #db: Loseable
  #schemaIsCurrent = false
  #probe: Promise<void> | undefined

  constructor(db: Loseable) {
    this.#db = db
  }

  /** Throws what is missing. Askers at the same time share one probe, so health checks can't crowd the database. */
  async check() {
    this.#probe ??= this.#ask().finally(() => {
      this.#probe = undefined
    })
    return this.#probe
  }

  async #ask() {
    const { lostBecause, isHolding } = this.#db
    if (lostBecause instanceof UnsafeDatabase)
      throw new DomainError('unavailable', 'The database must not be written to. The log of this process says why.')
    // Calls wait for it here. Sent away at once, they would only fail elsewhere: a switchover takes three seconds.
    if (lostBecause && isHolding && this.#schemaIsCurrent) return
    if (lostBecause) throw new DatabaseUnavailable('the database is lost', { cause: lostBecause })
    const deadline = performance.now() + PATIENCE_MS
    try {
      if (this.#schemaIsCurrent) await this.#db.query({ name: 'readiness', text: 'select 1' }, deadline)
      else await this.#requireSchema(deadline)
    } catch (error) {
      // A database that has its hands full is there. Sending the calls elsewhere would fill other hands.
      if (!(error instanceof DatabaseBusy)) throw error
    }
  }

  async #requireSchema(deadline: number) {
    const inTime: Queryable = { query: (statement) => this.#db.query(statement, deadline) }
    const pending = await pendingMigrations(inTime).catch((error: unknown) => {
      if (error instanceof DatabaseBusy || error instanceof DatabaseUnavailable) throw error
      throw new DomainError(
        'unavailable',
        'The database does not fit this program. `petstore migrate --check` says why.',
        {
          cause: error,
        },
      )
    })
    if (pending.length > 0)
      throw new DomainError(
        'unavailable',
        'The database is not at the version of this program. Run `petstore migrate`.',
      )
    this.#schemaIsCurrent = true
  }
}
