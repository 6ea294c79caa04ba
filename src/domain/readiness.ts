import { setTimeout as sleep } from 'node:timers/promises'
import { type ReadinessTimes, TIMES } from '../lib/times.ts'
import { DatabaseBusy, DatabaseRejects, DatabaseUnavailable } from '../storage/postgres/failures.ts'
import { pendingMigrations } from '../storage/postgres/migrate.ts'
import { missingPrivileges, type RequiredPrivileges, SERVING_PRIVILEGES } from '../storage/postgres/privileges.ts'
import { UnsafeDatabase } from '../storage/postgres/probe.ts'
import type { Queryable } from '../storage/postgres/statement.ts'
import { DomainError } from './errors.ts'

/** A database that reports the loss of its primary. */
interface MonitoredDatabase extends Queryable {
  readonly downReason: Error | undefined
  /** Whether it is available, but acknowledges no commit. */
  readonly isStalled: boolean
  /** Whether requests are still being held for a new primary. */
  readonly isHolding: boolean
}

/** In a word, whether requests can use the database. */
export type DatabaseState = 'ok' | 'lost' | 'stalled' | 'read_only' | 'schema_outdated' | 'rights_missing'

/** The database responds, but lacks what this version needs. */
class NotPrepared extends DomainError {
  readonly state: DatabaseState

  constructor(state: DatabaseState, message: string, options?: ErrorOptions) {
    super('unavailable', message, options)
    this.state = state
  }
}

/** Whether a process can do its work: the database responds, and has the schema and the privileges that this version needs. */
export class Readiness {
  readonly #db: MonitoredDatabase
  readonly #required: readonly RequiredPrivileges[]
  readonly #times: ReadinessTimes
  readonly #ended = new AbortController()
  #isPrepared = false
  #probe: Promise<void> | undefined

  constructor(db: MonitoredDatabase, required = SERVING_PRIVILEGES, times = TIMES.readiness) {
    this.#db = db
    this.#required = required
    this.#times = times
  }

  /** Throws if not ready. Concurrent checks share one probe, so that they can't overload the database. */
  async check() {
    this.#probe ??= this.#runProbe().finally(() => {
      this.#probe = undefined
    })
    return this.#probe
  }

  /** The state, with a sentence for the operator if there is one. Unlike `check`, it reports a loss at once. */
  async databaseState(): Promise<{ state: DatabaseState; detail?: string }> {
    const error: unknown = await this.check().catch((reason: unknown) => reason)
    if (error instanceof NotPrepared) return { state: error.state, detail: error.message }
    if (error instanceof DomainError) return { state: 'lost', detail: error.message }
    if (error !== undefined || this.#db.downReason) return { state: 'lost' }
    return { state: this.#db.isStalled ? 'stalled' : 'ok' }
  }

  /** What keeps the process from its work, as soon as the database can be asked. */
  async firstResult() {
    const { signal } = this.#ended
    while (!signal.aborted) {
      const error: unknown = await this.check().catch((reason: unknown) => reason)
      // A database that is lost has a line of its own in the log.
      if (error instanceof DomainError && !isLoss(error.cause)) return error.message
      if (this.#isPrepared) return undefined
      await sleep(this.#times.intervalMs, undefined, { signal }).catch(() => {})
    }
    return undefined
  }

  [Symbol.dispose]() {
    this.#ended.abort()
  }

  async #runProbe() {
    const { downReason, isHolding } = this.#db
    if (downReason instanceof UnsafeDatabase)
      throw new DomainError('unavailable', 'The database must not be written to. See the log of this process.', {
        cause: downReason,
      })
    // Requests wait here for a new primary. Other processes have lost it too, and a switchover takes three seconds.
    if (downReason && isHolding && this.#isPrepared) return
    if (downReason instanceof DatabaseRejects) throw rejectedBy(downReason)
    if (downReason) throw new DatabaseUnavailable('the database is lost', { cause: downReason })
    const deadline = performance.now() + this.#times.checkMs
    try {
      if (this.#isPrepared) await this.#db.query({ name: 'readiness', text: 'select 1' }, deadline)
      else await this.#requirePrepared(deadline)
    } catch (error) {
      if (error instanceof DatabaseRejects) throw rejectedBy(error)
      // A busy database is available, and other processes would use the same one.
      if (!(error instanceof DatabaseBusy)) throw error
    }
  }

  /** Runs until it succeeds: privileges that are revoked later fail only what needs them, not the whole process. */
  async #requirePrepared(deadline: number) {
    const inTime: Queryable = { query: (statement) => this.#db.query(statement, deadline) }
    const pending = await pendingMigrations(inTime).catch(async (error: unknown) => {
      if (error instanceof DatabaseBusy) throw error
      await this.#requirePrivileges(inTime) // one of the privileges is to read which migrations were applied
      if (error instanceof DatabaseUnavailable) throw error
      throw new NotPrepared(
        'schema_outdated',
        'The database schema does not match this program. Run `petstore migrate --check` for details.',
        {
          cause: error,
        },
      )
    })
    if (pending.length > 0)
      throw new NotPrepared(
        'schema_outdated',
        'The database schema is older than this program. Run `petstore migrate`.',
      )
    await this.#requirePrivileges(inTime)
    this.#isPrepared = true
  }

  async #requirePrivileges(db: Queryable) {
    const missing = await missingPrivileges(db, this.#required)
    if (missing.length === 0) return
    throw new NotPrepared(
      'rights_missing',
      `The role of this process lacks rights in the database: ${missing.join('; ')}. Run deploy/postgres/grants.sql as the owner of the tables.`,
    )
  }
}

function isLoss(cause: unknown) {
  return cause instanceof DatabaseRejects || cause instanceof UnsafeDatabase
}

function rejectedBy(error: DatabaseRejects) {
  return new DomainError('unavailable', `The service cannot use its database: ${error.message}.`, { cause: error })
}
