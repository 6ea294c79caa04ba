import { setTimeout as sleep } from 'node:timers/promises'
import { type Transaction, type Transactional, WITHOUT_SEQ_SCAN } from '../postgres/statement.ts'

const LOCK = 7_377_301_116 // any number that no other program on this database takes
// A part is over in milliseconds, and pauses leave the disk to others; still more are removed than can be added.
const PART = 1_000
const PAUSE_MS = 20
const ROUND_MS = 60_000
// Soon after the start, so that processes that never live long do it too.
const FIRST_ROUND_MS = 1_000

/** Removes idempotency keys that are older than a day, now and then, a small part at a time. Until then they are honoured. */
export class KeyPruner implements AsyncDisposable {
  readonly #db: Transactional
  readonly #onFailed: (error: unknown) => void
  readonly #closing = new AbortController()
  #running = Promise.resolve()
  /** How many rounds could not be done. */
  failures = 0

  constructor(db: Transactional, onFailed: (error: unknown) => void) {
    this.#db = db
    this.#onFailed = onFailed
  }

  start() {
    this.#running = this.#run()
  }

  async [Symbol.asyncDispose]() {
    this.#closing.abort()
    await this.#running
  }

  async #run() {
    const { signal } = this.#closing
    // Processes that were started together need not come together.
    const waitFor = (ms: number) => pause(ms * (0.5 + Math.random()), signal)
    for (let isOpen = await waitFor(FIRST_ROUND_MS); isOpen; isOpen = await waitFor(ROUND_MS)) {
      try {
        while ((await prune(this.#db)) && (await pause(PAUSE_MS, signal)));
      } catch (error) {
        // The next round does what this one has not.
        this.failures++
        this.#onFailed(error)
      }
    }
  }
}

/** Removes the oldest of the keys that are older than a day. Says whether there may be more of them for whoever asks. */
export function prune(db: Transactional): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const [lock] = await transaction.query<{ taken: boolean }>({
      name: 'keyPruner.lock',
      text: 'select pg_try_advisory_xact_lock($1) as taken',
      values: [LOCK],
    })
    if (!lock?.taken) return false
    await transaction.query(WITHOUT_SEQ_SCAN)
    const last = await lastOfPart(transaction)
    await transaction.query({
      name: 'keyPruner.prune',
      // As text, since a date of JavaScript is cut to milliseconds.
      text: `
        delete from idempotency_keys
        where created_at < now() - interval '24 hours' and created_at <= coalesce($1::timestamptz, 'infinity')`,
      values: [last],
    })
    return last !== undefined
  })
}

/** How old the last key of the part is; undefined when what is left is less than a part. */
async function lastOfPart(transaction: Transaction) {
  const [row] = await transaction.query<{ at: string }>({
    name: 'keyPruner.last',
    text: `
      select created_at::text as at from idempotency_keys
      where created_at < now() - interval '24 hours' order by created_at offset $1 - 1 limit 1`,
    values: [PART],
  })
  return row?.at
}

/** False when the wait was ended. */
function pause(ms: number, signal: AbortSignal) {
  return sleep(ms, true, { signal, ref: false }).catch(() => false)
}
