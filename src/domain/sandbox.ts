import type { StoreAddress } from '../lib/ids/store-address.ts'
import type { BulkConnection } from '../storage/postgres/bulk.ts'
import type { Queryable } from '../storage/postgres/statement.ts'
import { isLocked, limitLockWaits } from '../storage/stores/locks.ts'
import { emptyStore } from '../storage/stores/reset.ts'
import {
  canBeSandbox,
  markSandbox,
  noteTestKeysElsewhere,
  readIdentity,
  readStore,
  startIds,
} from '../storage/stores/row.ts'
import { hasIdled, putTestKeys, removeKeys, type TestKeys, takeTestKeys } from '../storage/stores/test-keys.ts'

export { readStore } from '../storage/stores/row.ts'

/** The database is not the one that a command needs. Nothing was changed in it. The message names the variables. */
export class WrongStore extends Error {
  override name = 'WrongStore'
}

/** Throws unless this is the database of this store. */
export async function requireStore(db: Queryable, address: StoreAddress) {
  if ((await readStore(db)).address === address) return
  throw new WrongStore(
    address === 'live'
      ? 'The database at DATABASE_URL is a sandbox. Set DATABASE_URL to the live database, and SANDBOX_DATABASE_URL to this one.'
      : 'The database at SANDBOX_DATABASE_URL is not a sandbox. If it is the right one, make it a sandbox: petstore sandbox create',
  )
}

const USED =
  'The database at SANDBOX_DATABASE_URL has keys, pets or categories already. Create an empty one for the sandbox.'

/** Throws unless this database is a sandbox or unused, and not the live one. It may lack migrations. */
export async function requireUnused(sandbox: Queryable, live: Queryable) {
  if ((await readIdentity(live)) === (await readIdentity(sandbox)))
    throw new WrongStore('SANDBOX_DATABASE_URL and DATABASE_URL lead to the same database. Create one for the sandbox.')
  if (!(await canBeSandbox(sandbox))) throw new WrongStore(USED)
}

/** Makes an unused database the sandbox. */
export async function makeSandbox(sandbox: Queryable) {
  if (!(await markSandbox(sandbox))) throw new WrongStore(USED)
  await startIds(sandbox)
}

/**
 * Moves the test keys of a live store to where `put` stores them. Safe to repeat after an interruption: they are removed once they are stored
 * there.
 */
export async function moveTestKeys(live: BulkConnection, put: (taken: TestKeys) => Promise<void>) {
  return live.transaction(async (from) => {
    const taken = await takeTestKeys(from)
    await put(taken)
    await removeKeys(from, taken.ids).catch(explainDelay)
    await noteTestKeysElsewhere(from)
    return { keys: taken.ids.length, webhooks: taken.movedWebhooks, openOrders: taken.openOrders }
  })
}

/** Does the work of `sandbox create`, none of whose statements waits long for a lock that another transaction holds. */
export async function withoutLockWaits<T>(dbs: Queryable[], work: () => Promise<T>) {
  for (const db of dbs) await limitLockWaits(db)
  return work().catch(explainLock)
}

function explainLock(error: unknown): never {
  throw isLocked(error)
    ? new Error(
        'Nothing was moved: another transaction has kept the keys of the live store or of the sandbox locked. Run the command again.',
      )
    : error
}

export async function storeTestKeys(sandbox: BulkConnection, taken: TestKeys) {
  await sandbox.transaction((to) => putTestKeys(to, taken))
}

function explainDelay(error: unknown): never {
  throw hasIdled(error) ? new Error('The sandbox did not respond in time. Run the command again.') : error
}

/** Empties a sandbox; false if other transactions have kept it from that, and nothing was changed. */
export async function resetSandbox(db: BulkConnection) {
  try {
    await db.transaction(async (transaction) => {
      await requireStore(transaction, 'test')
      await emptyStore(transaction)
    })
    return true
  } catch (error) {
    if (isLocked(error)) return false
    throw error
  }
}
