import { DatabaseBusy, DatabaseUnavailable } from '../storage/postgres/failures.ts'
import { pendingMigrations } from '../storage/postgres/migrate.ts'
import { UnsafeDatabase } from '../storage/postgres/probe.ts'
import type { Queryable } from '../storage/postgres/statement.ts'
import { DomainError } from './errors.ts'

/** A database that reports the loss of its primary. */
interface MonitoredDatabase extends Queryable {
  readonly lostBecause: Error | undefined
  /** Whether requests are still being held for a new primary. */
  readonly isHolding: boolean
}

// Shorter than requests wait for a lost database: a load balancer has other processes to check.
const PATIENCE_MS = 1_000

/** Whether requests can be served: the database responds and has the schema that this version needs. */
export class Readiness {
  readonly #db: MonitoredDatabase
  #schemaIsCurrent = false
  #probe: Promise<void> | undefined

  constructor(db: MonitoredDatabase) {
    this.#db = db
  }

  /** Throws if not ready. Concurrent checks share one probe, so that they can't overload the database. */
  async check() {
    this.#probe ??= this.#runProbe().finally(() => {
      this.#probe = undefined
    })
    return this.#probe
  }

  async #runProbe() {
    const { lostBecause, isHolding } = this.#db
    if (lostBecause instanceof UnsafeDatabase)
      throw new DomainError('unavailable', 'The database must not be written to. See the log of this process.')
    // Requests wait here for a new primary. Other processes have lost it too, and a switchover takes three seconds.
    if (lostBecause && isHolding && this.#schemaIsCurrent) return
    if (lostBecause) throw new DatabaseUnavailable('the database is lost', { cause: lostBecause })
    const deadline = performance.now() + PATIENCE_MS
    try {
      if (this.#schemaIsCurrent) await this.#db.query({ name: 'readiness', text: 'select 1' }, deadline)
      else await this.#requireSchema(deadline)
    } catch (error) {
      // A busy database is available, and other processes would use the same one.
      if (!(error instanceof DatabaseBusy)) throw error
    }
  }

  async #requireSchema(deadline: number) {
    const inTime: Queryable = { query: (statement) => this.#db.query(statement, deadline) }
    const pending = await pendingMigrations(inTime).catch((error: unknown) => {
      if (error instanceof DatabaseBusy || error instanceof DatabaseUnavailable) throw error
      throw new DomainError(
        'unavailable',
        'The database schema does not match this program. Run `petstore migrate --check` for details.',
        {
          cause: error,
        },
      )
    })
    if (pending.length > 0)
      throw new DomainError('unavailable', 'The database schema is older than this program. Run `petstore migrate`.')
    this.#schemaIsCurrent = true
  }
}
