import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { counter, type Measured } from '../../lib/metric.ts'
import { BATCHES } from '../postgres/batches.ts'
import { int64sOf, valueAt } from '../postgres/columns.ts'
import { afterBeginning } from '../postgres/failures.ts'
import { type Transactional, WAIT_FOR_STANDBY, WITHOUT_SEQ_SCAN, type Writable } from '../postgres/statement.ts'
import {
  type Keyed,
  type KeyedOperation,
  readKeysStatement,
  STORED,
  type StoredKey,
  storeStatement,
  TAKEN,
} from './statements.ts'

export type KeyedResult<Refusal = never> =
  | { outcome: 'created'; id: bigint }
  /** `keyId`: the API key that created it. */
  | { outcome: 'replayed'; id: bigint; keyId: string }
  /** The key was used for another input. */
  | { outcome: 'reused' }
  /** Nothing was done: another transaction is storing this key, or only a newer version can compare what it has stored. */
  | { outcome: 'in progress' }
  /** The key is taken, but its row could not be read. */
  | { outcome: 'unread'; error: unknown }
  /** The key is free, and the guard of the operation did not allow the row. Nothing was done. */
  | { outcome: 'refused'; refusal: Refusal }

const MAX_INSERTS = 200

export interface KeyedInserts<Input, Refusal = never> extends Measured {
  /** Inserts a row unless its key is stored already. A row that is reported as created or replayed is committed and flushed. */
  insert: (keyed: Keyed<Input>, caller?: Caller) => Promise<KeyedResult<Refusal>>
}

export function openKeyedInserts<Input, Refusal extends string = never>(
  db: Writable & Transactional,
  operation: KeyedOperation<Input, Refusal>,
  onBatch?: OnBatch,
): KeyedInserts<Input, Refusal> {
  let replays = 0
  const inserts = new Batcher({
    ...BATCHES,
    name: `${operation.name}.insert`,
    onBatch,
    maxItems: MAX_INSERTS,
    send: async (items: Keyed<Input>[], deadline) => {
      const results = await insertAll(db, operation, items, deadline)
      replays += results.filter(({ outcome }) => outcome === 'replayed').length
      return results
    },
  })
  return {
    insert: (keyed, caller) => inserts.submit(keyed, caller),
    metrics: [replayMetric(() => replays)],
  }
}

export function replayMetric(read: () => number) {
  const help = 'Requests that got what an earlier one with the same Idempotency-Key created.'
  return counter('petstore_idempotent_replays_total', help, read)
}

/**
 * Stores the keys that are free together with their rows. Keys that were taken are read by a second statement with a snapshot
 * of its own: the first snapshot would not show a row that has just won the race. Of equal keys in a batch the second
 * finds the first.
 */
async function insertAll<Input, Refusal extends string>(
  db: Writable & Transactional,
  operation: KeyedOperation<Input, Refusal>,
  items: Keyed<Input>[],
  deadline: number,
): Promise<KeyedResult<Refusal>[]> {
  const [row] = await db.write<{ ids: string; keys: string; refusals?: string }>(
    storeStatement(operation, items),
    deadline,
  )
  const ids = int64sOf(row?.ids, items.length)
  const keys = row?.keys ?? ''
  const refusals = row?.refusals?.split(',') ?? []

  const taken = items.filter((_, i) => keys[i] === TAKEN)
  const found = taken.length > 0 ? await readKeys(db, operation, taken, deadline).catch(unread(taken)) : []
  return items.map((_, i) => {
    if (keys[i] === STORED) return { outcome: 'created', id: valueAt(ids, i) }
    return (keys[i] === TAKEN && (found.shift() ?? refused(operation, refusals[i]))) || { outcome: 'in progress' }
  })
}

/** What keeps an input whose key does not exist from being stored; undefined if nothing does any more. */
function refused<Refusal extends string>({ guard }: KeyedOperation<never, Refusal>, word: string | undefined) {
  const refusal = guard?.refusals.find((known) => known === word)
  return refusal && { outcome: 'refused' as const, refusal }
}

/** Only for the taken keys: the other rows are stored. Not as busy, which means that nothing was done. */
function unread(items: unknown[]) {
  return (cause: unknown) => {
    const error = afterBeginning(cause)
    return items.map((): KeyedResult => ({ outcome: 'unread', error }))
  }
}

/** The result for each key; undefined for one that does not exist: it was not stored, or has been pruned since. */
async function readKeys<Input>(
  db: Transactional,
  operation: KeyedOperation<Input, string>,
  items: Keyed<Input>[],
  deadline: number,
): Promise<(KeyedResult | undefined)[]> {
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
