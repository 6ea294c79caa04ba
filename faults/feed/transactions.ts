import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Change } from './record.ts'

const WRITERS = 24
/** Ids that no pet of the service has. */
const FIRST_PET = 2 ** 52
const [MAX_OPEN_MS, MAX_IDLE_MS] = [200, 200]
const ROLLED_BACK = 0.2
const CONNECT_MS = 5_000
const RECONNECT_MS = 200

/**
 * Transactions that stay open for a while between their events, and are committed in another order than they began, or rolled back.
 * The service has none: each of its changes is one statement.
 */
export class Transactions {
  readonly changes: Change[] = []
  readonly #databaseUrl: string
  readonly #label: string
  readonly #stopping = new AbortController()
  readonly #working: Promise<unknown>
  #numbers = 0

  constructor(databaseUrl: string, label: string) {
    this.#databaseUrl = databaseUrl
    this.#label = label
    this.#working = Promise.all(Array.from({ length: WRITERS }, () => this.#write()))
  }

  async stop() {
    this.#stopping.abort()
    await this.#working
  }

  /** A connection that fails is replaced; what it was doing may have been committed or not. */
  async #write() {
    while (!this.#stopping.signal.aborted) {
      const client = new pg.Client({
        connectionString: this.#databaseUrl,
        connectionTimeoutMillis: CONNECT_MS,
        query_timeout: CONNECT_MS,
      })
      client.on('error', () => {})
      try {
        await client.connect()
        while (!this.#stopping.signal.aborted) await this.#transact(client)
      } catch {
        await sleep(RECONNECT_MS)
      } finally {
        // Not awaited: the server may be frozen.
        void client.end().catch(() => {})
      }
    }
  }

  async #transact(client: pg.Client) {
    const changes: Change[] = []
    // A commit that PostgreSQL reports with a warning is not on the standby.
    let isWarned = false
    const warn = () => {
      isWarned = true
    }
    client.on('notice', warn)
    let result: Change['result'] = 'unknown'
    try {
      await client.query('begin')
      for (let events = 1 + Math.floor(Math.random() * 3); events > 0; events--) {
        const number = this.#numbers++
        const name = `${this.#label} transaction ${number}`
        const change = { name: `pet.created ${name}`, petId: FIRST_PET + number, version: 1 }
        changes.push({ ...change, result, at: 0 })
        await client.query(
          `insert into events (pet_id, version, type, name, category_id) values ($1, 1, 'pet.created', $2, 1)`,
          [change.petId, name],
        )
        await sleep(Math.random() * MAX_OPEN_MS)
      }
      const isRolledBack = Math.random() < ROLLED_BACK
      await client.query(isRolledBack ? 'rollback' : 'commit')
      if (isRolledBack) result = 'rejected'
      else if (!isWarned) result = 'acknowledged'
    } finally {
      client.off('notice', warn)
      for (const change of changes) this.changes.push({ ...change, result, at: performance.now() })
    }
    await sleep(Math.random() * MAX_IDLE_MS)
  }
}
