import { setTimeout as sleep } from 'node:timers/promises'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { BATCHES } from '../pets/pets.ts'
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
  /** So many of them have been added to the table. */
  stored: number
  firstCalledAt: Date
  lastCalledAt: Date
}

type Due = Omit<Tally, 'stored'>

const ROUND_MS = 2_000
const LAST_ROUND_MS = 1_000
const MAX_FINDS = 100
const MAX_STORED = 1_000

/**
 * Counts the calls of what is deprecated, for each key. A call only counts in memory; every few seconds what has come
 * together is added to the table. A process that is killed takes the last of its counts with it.
 */
export class DeprecatedCalls implements AsyncDisposable {
  readonly #db: Writable
  readonly #onFailed: (error: unknown) => void
  readonly #finds: Batcher<string, CallCount[]>
  readonly #closing = new AbortController()
  /** By operation, then by key. */
  readonly #tallies = new Map<string, Map<string, Tally>>()
  #running = Promise.resolve()
  #isFailing = false
  /** How many rounds could not be stored. */
  failures = 0

  constructor(db: Writable, onFailed: (error: unknown) => void, onBatch?: OnBatch) {
    this.#db = db
    this.#onFailed = onFailed
    this.#finds = new Batcher({
      ...BATCHES,
      name: 'deprecatedCalls.find',
      onBatch,
      maxItems: MAX_FINDS,
      keyOf: (keyId: string) => keyId,
      send: (keyIds, deadline) => findAll(db, keyIds, deadline),
    })
  }

  start() {
    this.#running = this.#run()
  }

  /** On the path of a call, and so nothing but memory. */
  count(operation: string, keyId: string) {
    const now = new Date()
    const tally = this.#tallies.get(operation)?.get(keyId) ?? this.#begin(operation, keyId, now)
    tally.calls++
    tally.lastCalledAt = now
  }

  /** What is stored of this key. */
  find(keyId: string, caller?: Caller) {
    return this.#finds.submit(keyId, caller)
  }

  /** What this process has counted since its start. */
  get counted() {
    return [...this.#tallies.values()].flatMap((byKey) => [...byKey.values()])
  }

  async [Symbol.asyncDispose]() {
    this.#closing.abort()
    await this.#running
    await this.#store(performance.now() + LAST_ROUND_MS)
  }

  #begin(operation: string, keyId: string, now: Date) {
    const tally: Tally = { keyId, operation, calls: 0, stored: 0, firstCalledAt: now, lastCalledAt: now }
    const byKey = this.#tallies.get(operation) ?? new Map<string, Tally>()
    this.#tallies.set(operation, byKey.set(keyId, tally))
    return tally
  }

  async #run() {
    const { signal } = this.#closing
    const pause = () => sleep(ROUND_MS, true, { signal, ref: false }).catch(() => false)
    while (await pause()) await this.#store()
  }

  /** In parts, each of which takes a moment: what has come together in an hour's outage too. */
  async #store(deadline?: number) {
    const unstored = this.counted.filter(({ calls, stored }) => calls > stored)
    for (let i = 0; i < unstored.length; i += MAX_STORED)
      if (!(await this.#storePart(unstored.slice(i, i + MAX_STORED), deadline))) return
  }

  /** Whether it makes sense to go on. */
  async #storePart(unstored: Tally[], deadline?: number) {
    const due = unstored.map((tally) => ({ ...tally, calls: tally.calls - tally.stored }))
    try {
      await this.#db.writeOnce(addition(due), deadline)
      this.#isFailing = false
    } catch (error) {
      this.failures++
      // Told once, or a database that is away for an hour would fill the log.
      if (!this.#isFailing) this.#onFailed(error)
      this.#isFailing = true
      // What was not stored is due again in the next round. Where nobody knows, rather too few than too many.
      if (!(error instanceof OutcomeUnknown)) return false
    }
    for (const [i, { calls }] of due.entries()) if (unstored[i]) unstored[i].stored += calls
    return true
  }
}

/** Sorted, so that no two processes wait for each other. */
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
