import type { Transaction, Transactional } from './statement.ts'

/**
 * Does the work in a transaction, unless another process holds the lock: undefined then. The lock ends with the transaction,
 * however that ends, so a process that dies does not keep others from the work.
 */
export function asLeader<T>(db: Transactional, lock: number, work: (transaction: Transaction) => Promise<T>) {
  return db.transaction(async (transaction) => {
    const [row] = await transaction.query<{ taken: boolean }>({
      name: 'leader.lock',
      text: 'select pg_try_advisory_xact_lock($1) as taken',
      values: [lock],
    })
    return row?.taken ? await work(transaction) : undefined
  })
}
