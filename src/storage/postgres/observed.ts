import type { Statement, Transactional, Writable } from './statement.ts'

/** Called when a statement has ended, successfully or not. */
export type OnStatement = (name: string, ms: number) => void

/** The same database, reporting how long each statement takes. Batches report that themselves. */
export function observed(db: Writable & Transactional, onStatement: OnStatement | undefined): Writable & Transactional {
  if (!onStatement) return db
  const timed = async <Result>({ name }: Statement, execution: Promise<Result>) => {
    const begun = performance.now()
    try {
      return await execution
    } finally {
      if (name !== undefined) onStatement(name, performance.now() - begun)
    }
  }
  return {
    query: (statement, deadline) => timed(statement, db.query(statement, deadline)),
    write: (statement, deadline) => timed(statement, db.write(statement, deadline)),
    writeOnce: (statement, deadline) => timed(statement, db.writeOnce(statement, deadline)),
    transaction: (work, deadline) => db.transaction(work, deadline),
    transactionOnce: (work, deadline) => db.transactionOnce(work, deadline),
  }
}
