import type pg from 'pg'
import { rowsOf } from './connection.ts'
import { FailedAttempt } from './retry.ts'
import type { Queryable, Statement, Transaction } from './statement.ts'

/** Runs statements on one connection. Each ends by the deadline, or when the server has been silent for `silenceMs`. */
export function sessionOn(client: pg.PoolClient, deadline: number, silenceMs: number): Queryable {
  return {
    async query<Row extends pg.QueryResultRow>(statement: Statement) {
      const query_timeout = Math.max(1, Math.min(silenceMs, deadline - performance.now()))
      try {
        return await rowsOf<Row>(client, { ...statement, query_timeout })
      } catch (error) {
        throw new FailedAttempt(error, true, query_timeout < silenceMs)
      }
    },
  }
}

/** If a statement fails, the connection is closed with its transaction. If the work rejects, it is rolled back, and the connection kept. */
export async function inTransaction<T>({ query }: Queryable, work: (transaction: Transaction) => Promise<T>) {
  const result = await beforeCommit(query, work)
  await query({ text: 'commit' })
  return result
}

async function beforeCommit<T>(query: Queryable['query'], work: (transaction: Transaction) => Promise<T>) {
  try {
    await query({ text: 'begin' })
    let failed: unknown
    const remembering: Queryable['query'] = (statement) =>
      query<never>(statement).catch((error: unknown) => {
        failed ??= error
        throw error
      })
    const result = await work({ isAtomic: true, query: remembering })
    // Work that ignores a failed statement: PostgreSQL would report the commit as done, and roll back.
    if (failed !== undefined) throw failed
    return result
  } catch (error) {
    // The work itself rejected, and the connection is sound. If the rollback fails, it was not, and the work is tried on another one.
    if (!(error instanceof FailedAttempt)) await query({ text: 'rollback' }).catch(withoutCommit)
    // The next transaction must not wait for locks that the server would hold until it notices the closed connection.
    else if (error.failureClass === 'permanent') await query({ text: 'rollback' }).catch(() => {})
    return withoutCommit(error)
  }
}

/** The commit was never sent: however the connection ended, the server has rolled back. */
function withoutCommit(error: unknown): never {
  throw error instanceof FailedAttempt ? error.asRolledBack() : error
}
