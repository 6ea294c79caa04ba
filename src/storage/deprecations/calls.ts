import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { counter } from '../../lib/metric.ts'
import { BATCHES } from '../postgres/batches.ts'
import { OutcomeUnknown } from '../postgres/failures.ts'
import type { Queryable, Statement, Writable } from '../postgres/statement.ts'

/** How often a key has called an operation, and when. */
export interface CallCount {
  operation: string
  calls: bigint
  firstCalledAt: Date
  lastCalledAt: Date
}

/** What this process has counted since its start. */
interface Tally {
  keyId: string
  operation: string
  calls: number
  /** How many of them were added to the table. */
  stored: number
  firstCalledAt: Date
  lastCalledAt: Date
}

type Due = Omit<Tally, 'stored'>

const MAX_FINDS = 100
const MAX_STORED = 1_000

/**
 * Counts the calls of deprecated operations, for each key. A request only counts in memory; `store` adds the counts to the
 * table in the background. A process that is killed loses those that were not stored.
 */
export class DeprecatedCalls {
  readonly metrics = [
    counter('petstore_deprecated_calls_total', 'Calls of deprecated operations, by the id of the key.', () =>
      this.counted.map(({ operation, keyId, calls }) => ({ labels: { operation, key: keyId }, value: calls })),
    ),
  ]
  /** For `store`, which must not take connections from requests. */
  readonly #background: Writable
  readonly #finds: Batcher<string, CallCount[]>
  /** By operation, then by key. */
  readonly #tallies = new Map<string, Map<string, Tally>>()

  constructor(db: Queryable & { readonly background: Writable }, onBatch?: OnBatch) {
    this.#background = db.background
    this.#finds = new Batcher({
      ...BATCHES,
      name: 'deprecatedCalls.find',
      onBatch,
      maxItems: MAX_FINDS,
      keyOf: (keyId: string) => keyId,
      send: (keyIds, deadline) => findAll(db, keyIds, deadline),
    })
  }

  /** Counts only in memory, since a request waits for it. */
  count(operation: string, keyId: string) {
    const now = new Date()
    const tally = this.#tallies.get(operation)?.get(keyId) ?? this.#begin(operation, keyId, now)
    tally.calls++
    tally.lastCalledAt = now
  }

  find(keyId: string, caller?: Caller) {
    return this.#finds.submit(keyId, caller)
  }

  /** What this process has counted since its start. */
  get counted() {
    return [...this.#tallies.values()].flatMap((byKey) => [...byKey.values()])
  }

  /** Adds the counts since the last time to the table, in parts that take a moment each, even after an outage of an hour. */
  async store(deadline?: number) {
    const unstored = this.counted.filter(({ calls, stored }) => calls > stored)
    for (let i = 0; i < unstored.length; i += MAX_STORED)
      await this.#storePart(unstored.slice(i, i + MAX_STORED), deadline)
  }

  #begin(operation: string, keyId: string, now: Date) {
    const tally: Tally = { keyId, operation, calls: 0, stored: 0, firstCalledAt: now, lastCalledAt: now }
    const byKey = this.#tallies.get(operation) ?? new Map<string, Tally>()
    this.#tallies.set(operation, byKey.set(keyId, tally))
    return tally
  }

  async #storePart(unstored: Tally[], deadline?: number) {
    const due = unstored.map((tally) => ({ ...tally, calls: tally.calls - tally.stored }))
    const noteStored = () => {
      for (const [i, { calls }] of due.entries()) if (unstored[i]) unstored[i].stored += calls
    }
    try {
      await this.#background.writeOnce(addition(due), deadline)
      noteStored()
    } catch (error) {
      // If the outcome is unknown, too few are better than too many. After any other error, the next round stores them.
      if (error instanceof OutcomeUnknown) noteStored()
      throw error
    }
  }
}

/** Sorted, so that two processes can't deadlock. */
function addition(due: Due[]): Statement {
  return {
    name: 'deprecatedCalls.add',
    text: `
      insert into deprecated_calls as known (api_key_id, operation, calls, first_called_at, last_called_at)
      select * from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::timestamptz[])
        as new (api_key_id, operation, calls, first_called_at, last_called_at)
      order by api_key_id, operation
      on conflict (api_key_id, operation) do update set
        calls = known.calls + excluded.calls,
        first_called_at = least(known.first_called_at, excluded.first_called_at),
        last_called_at = greatest(known.last_called_at, excluded.last_called_at)`,
    values: [
      due.map(({ keyId }) => keyId),
      due.map(({ operation }) => operation),
      due.map(({ calls }) => calls),
      due.map(({ firstCalledAt }) => firstCalledAt),
      due.map(({ lastCalledAt }) => lastCalledAt),
    ],
  }
}

async function findAll(db: Queryable, keyIds: string[], deadline: number): Promise<CallCount[][]> {
  const rows = await db.query<CallCount & { keyId: string }>(
    {
      name: 'deprecatedCalls.find',
      text: `
        select api_key_id as "keyId", operation, calls, first_called_at as "firstCalledAt", last_called_at as "lastCalledAt"
        from deprecated_calls where api_key_id = any($1::text[]) order by operation`,
      values: [keyIds],
    },
    deadline,
  )
  return keyIds.map((keyId) => rows.filter((row) => row.keyId === keyId))
}
