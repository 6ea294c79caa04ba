import pg from 'pg'
import { toError } from '../../lib/errors.ts'
import type { ListenerTimes } from '../../lib/times.ts'
import { newClient, rowsOf, types } from './connection.ts'
import { DatabaseUnavailable } from './failures.ts'
import type { Queryable, Statement } from './statement.ts'

export interface ListenerEvents {
  /**
   * Runs on each new connection before `onListening`. If it fails, the connection is replaced. With it, statements on the connection have
   * no time limit: giving one up while it waits for the standby would leave its session open, and one more with each attempt.
   */
  prepare?: (session: Queryable) => Promise<void>
  onMessage: (payload: string) => void
  /** No message is missed from now on. `isAgain`: the connection was lost before, and messages may have been missed. */
  onListening: (isAgain: boolean) => void
  /** Messages may be missed from now on. Called once for each loss, however many attempts to reconnect fail. */
  onLost: (error: Error | undefined) => void
}

/** Listens to one NOTIFY channel on its own connection, and reconnects when that breaks. */
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

  /** Settles after the first attempt, successful or not. The listener then keeps trying. */
  async start() {
    await this.#connect()
  }

  /** Whether every message sent from now on will be received. */
  get listening() {
    return this.#listening
  }

  /** Runs a statement on the listening connection, which is replaced if it fails. */
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
    // An attempt in progress is not awaited: it may never settle, and no longer changes anything.
    await this.#client?.end().catch(() => {})
  }

  async #connect() {
    let client: pg.Client | undefined
    try {
      client = this.#open()
      await this.#listen(client)
    } catch (error) {
      this.#lost(client, toError(error))
    }
  }

  /** Throws if the URL names a certificate that can't be read. */
  #open() {
    const { timeoutMs } = this.#times
    const client = newClient(this.#url, {
      types,
      connectionTimeoutMillis: timeoutMs,
      ...(!this.#events.prepare && { query_timeout: timeoutMs }),
    })
    this.#client = client
    client.on('notification', ({ payload }) => this.#events.onMessage(payload ?? ''))
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client, undefined))
    return client
  }

  async #listen(client: pg.Client) {
    await client.connect()
    const listen = `listen ${pg.escapeIdentifier(this.#channel)}`
    await rowsOf(client, { text: listen, query_timeout: this.#times.timeoutMs })
    await this.#events.prepare?.({ query: async (statement) => rowsOf(client, statement) })
    if (this.#client !== client || this.#closed) return
    this.#listening = true
    const isAgain = this.#isLost
    this.#isLost = false
    this.#events.onListening(isAgain)
  }

  #lost(client: pg.Client | undefined, error: Error | undefined) {
    // One break can show up as an error, an end and a failed attempt; only the first counts.
    if (this.#client !== client || this.#closed) return
    this.#client = undefined
    this.#listening = false
    client?.end().catch(() => {})
    // A silent peer never confirms the end, so destroy the stream: statements that wait for a response fail now. An attempt to connect
    // fails too, but only with an error: if the stream ended without one, `connect()` would stay pending for ever.
    client?.connection.stream.destroy(error ?? new Error('the connection ended'))
    if (!this.#isLost) this.#events.onLost(error)
    this.#isLost = true
    this.#retry = setTimeout(() => void this.#connect(), this.#times.reconnectMs)
  }
}
