import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { newClient, rowsOf, types } from './connection.ts'
import { meaningOf } from './failures.ts'
import type { Queryable, Statement } from './statement.ts'

/** Statements and copies that are committed together, or not at all. */
export interface BulkTransaction extends Queryable {
  copyIn: (text: string, bytes: Buffer) => Promise<void>
}

const CONNECT_TIMEOUT_MS = 5_000

/** A connection for moving many rows. Its statements have no time limit. */
export class BulkConnection implements Queryable, AsyncDisposable {
  readonly #client: pg.Client
  /** Why the connection ended between two statements; the next one reports only that it has. */
  #loss: Error | undefined

  private constructor(client: pg.Client) {
    this.#client = client
    client.once('error', (error: Error) => {
      this.#loss = error
    })
  }

  static async open(url: string) {
    const client = newClient(url, { types, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, statement_timeout: 0 })
    await client.connect().catch((error: unknown) => {
      throw meaningOf(error, { text: 'connect' })
    })
    return new BulkConnection(client)
  }

  async query<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]> {
    try {
      return await rowsOf<Row>(this.#client, statement)
    } catch (error) {
      throw meaningOf(this.#loss ?? error, statement)
    }
  }

  async transaction<T>(work: (transaction: BulkTransaction) => Promise<T>) {
    await this.query({ text: 'begin' })
    try {
      const result = await work({
        query: (statement) => this.query(statement),
        copyIn: (text, bytes) => this.#copyIn(text, bytes),
      })
      await this.query({ text: 'commit' })
      return result
    } catch (error) {
      await this.query({ text: 'rollback' }).catch(() => {}) // fails only where the session, and so the work, is gone
      throw error
    }
  }

  /** Streams the output of `copy … to stdout`, with backpressure. */
  async *copyOut(text: string): AsyncGenerator<Buffer> {
    try {
      const output: AsyncIterable<Buffer> = this.#client.query(copyTo(text))
      yield* output
    } catch (error) {
      throw meaningOf(error, { text })
    }
  }

  async [Symbol.asyncDispose]() {
    await this.#client.end()
  }

  async #copyIn(text: string, bytes: Buffer) {
    try {
      // In one piece: PostgreSQL would wait for the next one while this process is busy reading its input.
      await finished(this.#client.query(copyFrom(text)).end(bytes))
    } catch (error) {
      throw meaningOf(error, { text })
    }
  }
}
