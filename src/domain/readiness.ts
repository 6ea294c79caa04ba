import { DatabaseBusy, DatabaseUnavailable, type Queryable } from '../storage/database.ts'
import { pendingMigrations } from '../storage/migrate.ts'
import { DomainError } from './errors.ts'

/** Whether calls can be served: the database answers and has the schema that this version needs. */
export class Readiness {
  readonly #db: Queryable
  #schemaIsCurrent = false
  #probe: Promise<void> | undefined

  constructor(db: Queryable) {
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
    try {
      if (this.#schemaIsCurrent) await this.#db.query({ name: 'readiness', text: 'select 1' })
      else await this.#requireSchema()
    } catch (error) {
      // A database that has its hands full is there. Sending the calls elsewhere would fill other hands.
      if (!(error instanceof DatabaseBusy)) throw error
    }
  }

  async #requireSchema() {
    const pending = await pendingMigrations(this.#db).catch((error: unknown) => {
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
