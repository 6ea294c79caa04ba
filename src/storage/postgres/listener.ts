import pg from 'pg'
import { toError } from '../../lib/errors.ts'
import type { ListenerTimes } from '../../lib/times.ts'
import { connectionSettings, rowsOf, types } from './connection.ts'
import { DatabaseUnavailable } from './failures.ts'
import type { Queryable, Statement } from './statement.ts'

export interface ListenerEvents {
  /**
   * Comes before `onListening`, which it may delay. If it fails, so does the connection. With it, statements on the connection have no
   * time limit: one that waits for the standby and is given up would leave its session behind, and the next attempt another.
   */
  prepare?: (session: Queryable) => Promise<void>
  onMessage: (payload: string) => void
  /** No message is missed from here on. `isAgain`: some may have been before. */
  onListening: (isAgain: boolean) => void
  /** Messages may be missed from here on. Called once, however many attempts to connect fail after it. */
  onLost: (error: Error | undefined) => void
}

/** Listens to one NOTIFY channel on a connection of its own, and reconnects by itself when that breaks. */
export class Listener implements AsyncDisposable, Queryable {
  readonly #url: string
  readonly #channel: string
  readonly #events: ListenerEvents
  readonly #times: ListenerTimes
  #client: pg.Client | undefined
  #retry: NodeJS.Timeout | undefined
  #listening = false
  #isLost = false
  #closed = false

  constructor(url: string, channel: string, events: ListenerEvents, times: ListenerTimes) {
    this.#url = url
    this.#channel = channel
    this.#events = events
    this.#times = times
  }

  /** Settles when the first attempt has ended, well or not; from then on the listener keeps trying by itself. */
  async start() {
    await this.#connect()
  }

  /** Whether every message sent from now on will be heard. */
  get listening() {
    return this.#listening
  }

  /** On the connection of its own. A failure of the connection replaces it. */
  async query<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]> {
    const client = this.#client
    if (!client || !this.#listening) throw new DatabaseUnavailable('this process has no connection for the feed')
    try {
      return await rowsOf<Row>(client, statement)
    } catch (error) {
      // An error of PostgreSQL leaves the connection as it was.
      if (!(error instanceof pg.DatabaseError)) this.#lost(client, toError(error))
      throw error
    }
  }

  /** Replaces the connection, which the caller knows to be dead even if it looks sound. */
  reconnect(error: Error) {
    if (this.#client) this.#lost(this.#client, error)
  }

  async [Symbol.asyncDispose]() {
    this.#closed = true
    this.#listening = false
    clearTimeout(this.#retry)
    // An attempt in progress is not waited for: it may never settle, and does nothing any more.
    await this.#client?.end().catch(() => {})
  }

  async #connect() {
    const { timeoutMs } = this.#times
    const client = new pg.Client({
      ...connectionSettings(this.#url),
      types,
      connectionTimeoutMillis: timeoutMs,
      ...(!this.#events.prepare && { query_timeout: timeoutMs }),
    })
    this.#client = client
    client.on('notification', ({ payload }) => this.#events.onMessage(payload ?? ''))
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client, undefined))
    try {
      await client.connect()
      // The types do not know that a statement can have a time limit of its own.
      const listen = { text: `listen ${pg.escapeIdentifier(this.#channel)}`, query_timeout: timeoutMs }
      await client.query(listen)
      await this.#events.prepare?.({ query: async (statement) => rowsOf(client, statement) })
      if (this.#client !== client || this.#closed) return
      this.#listening = true
      const isAgain = this.#isLost
      this.#isLost = false
      this.#events.onListening(isAgain)
    } catch (error) {
      this.#lost(client, toError(error))
    }
  }

  #lost(client: pg.Client, error: Error | undefined) {
    // One break can show up as an error, an end and a failed attempt; only the first counts.
    if (this.#client !== client || this.#closed) return
    this.#client = undefined
    this.#listening = false
    client.end().catch(() => {})
    // A peer that is silent never confirms the end: what waits for a response on this connection fails now. So does an attempt to connect,
    // but only if there is an error: a stream that ends without one leaves `connect()` pending for ever.
    client.connection.stream.destroy(error ?? new Error('the connection ended'))
    if (!this.#isLost) this.#events.onLost(error)
    this.#isLost = true
    this.#retry = setTimeout(() => void this.#connect(), this.#times.reconnectMs)
  }
}
