import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { counter, type Measured } from '../../lib/metric.ts'
import { BATCHES } from '../postgres/batches.ts'
import { int64sOf, valueAt } from '../postgres/columns.ts'
import { afterBeginning } from '../postgres/failures.ts'
import { type Transactional, WAIT_FOR_STANDBY, WITHOUT_SEQ_SCAN } from '../postgres/statement.ts'
import { type Idempotent, NOT_STORED, readKeysStatement, STORED, type StoredKey } from './stored-keys.ts'

export type IdempotentResult =
  | { outcome: 'created'; id: bigint }
  /** `keyId`: the API key that created it. */
  | { outcome: 'replayed'; id: bigint; keyId: string }
  /** The key was used for another input. */
  | { outcome: 'reused' }
  /** Nothing was done: another transaction is storing this key, or only a newer version can compare what it has stored. */
  | { outcome: 'in progress' }
  /** The key exists, but its row could not be read. */
  | { outcome: 'unread'; error: unknown }

/** Fewer than 256: an order takes the last bits of its id from its position in the batch. */
export const MAX_INSERTS = 200

export interface IdempotentInserts<Input, Result = IdempotentResult> extends Measured {
  /** Inserts a row unless its key is stored already. A row that is reported as created or replayed is committed and flushed. */
  insert: (item: Idempotent<Input>, caller?: Caller) => Promise<Result>
}

/** Sends the rows that arrive together as one batch, and counts the replays. */
export function openIdempotentInserts<Input, Result extends { outcome: string }>(
  name: string,
  insertAll: (items: Idempotent<Input>[], deadline: number) => Promise<Result[]>,
  onBatch?: OnBatch,
): IdempotentInserts<Input, Result> {
  let replays = 0
  const batches = new Batcher({
    ...BATCHES,
    name,
    onBatch,
    maxItems: MAX_INSERTS,
    send: async (items: Idempotent<Input>[], deadline) => {
      const results = await insertAll(items, deadline)
      replays += results.filter(({ outcome }) => outcome === 'replayed').length
      return results
    },
  })
  return {
    insert: (item, caller) => batches.submit(item, caller),
    metrics: [replayMetric(() => replays)],
  }
}

export function replayMetric(read: () => number) {
  const help = 'Requests that got what an earlier one with the same Idempotency-Key created.'
  return counter('petstore_idempotent_replays_total', help, read)
}

/** The result of a statement that stores keys together with their rows: the ids, joined by commas, and a letter for each key. */
export interface StoredBatch {
  ids: string
  keys: string
}

/**
 * The result for each item of a batch; undefined where nothing was stored though the key does not exist. Keys that were not stored are
 * read by a second statement with a snapshot of its own: the first snapshot would not show a row that has just won the race. Of equal
 * keys in a batch the second finds the first.
 */
export async function readResults(
  db: Transactional,
  operation: string,
  items: Idempotent<unknown>[],
  stored: StoredBatch | undefined,
  deadline: number,
): Promise<(IdempotentResult | undefined)[]> {
  const ids = int64sOf(stored?.ids, items.length)
  const keys = stored?.keys ?? ''
  const notStored = items.filter((_, i) => keys[i] === NOT_STORED)
  const found = notStored.length > 0 ? await readKeys(db, operation, notStored, deadline).catch(unread(notStored)) : []
  return items.map((_, i) => {
    if (keys[i] === STORED) return { outcome: 'created', id: valueAt(ids, i) }
    return keys[i] === NOT_STORED ? found.shift() : { outcome: 'in progress' }
  })
}

/** The result for keys that can't be read. Not `DatabaseBusy`, which would mean that nothing was done: other rows are stored. */
function unread(items: unknown[]) {
  return (cause: unknown) => {
    const error = afterBeginning(cause)
    return items.map((): IdempotentResult => ({ outcome: 'unread', error }))
  }
}

/** The result for each key; undefined for one that does not exist: it was not stored, or has been pruned since. */
async function readKeys(
  db: Transactional,
  operation: string,
  items: Idempotent<unknown>[],
  deadline: number,
): Promise<(IdempotentResult | undefined)[]> {
  const rows = await db.transaction(async (transaction) => {
    await transaction.query(WITHOUT_SEQ_SCAN)
    await transaction.query(WAIT_FOR_STANDBY)
    return await transaction.query<StoredKey>(readKeysStatement(operation, items))
  }, deadline)
  return items.map(({ fingerprints }, i) => {
    const { id = null, keyId = '', fingerprint, version = 0, isOwn } = rows[i] ?? {}
    if (id === null) return undefined
    if (version > fingerprints.length) return { outcome: 'in progress' }
    const isSame = fingerprint === fingerprints[fingerprints.length - version]
    if (!isSame) return { outcome: 'reused' }
    return isOwn ? { outcome: 'created', id } : { outcome: 'replayed', id, keyId }
  })
}
