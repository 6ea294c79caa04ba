import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { keepNewest } from '../../lib/keep-newest.ts'
import { BATCHES } from '../postgres/batches.ts'
import type { Database } from '../postgres/database.ts'
import { DatabaseBusy } from '../postgres/failures.ts'
import { end, findAll, insert, type SessionRow, touch } from './statements.ts'

/** The sessions of the console, by the SHA-256 of their token in hex. */
export interface Sessions {
  /** Creates a session, in place of the one that the browser had. Returns when it ends. */
  insert: (hash: string, keyId: string, previous: string | undefined) => Promise<Date>
  /** The session, ended or not; undefined if there is none. */
  find: (hash: string, caller?: Caller) => Promise<SessionRow | undefined>
  /** Records that it is in use. A request never waits for this. */
  note: (hash: string) => void
  end: (hash: string) => Promise<void>
}

const MAX_ITEMS = 100
// Not part of the limit for requests in flight, which made-up tokens must not use up.
const MAX_WAITING = 1_000
const MAX_SEEN = 10_000

/**
 * Each request reads its session from the database, so that one that was ended works nowhere any more. Requests that arrive together share
 * a statement; those of sessions that were open recently do not wait behind tokens that may be made up.
 */
export function openSessions(db: Database, onBatch?: OnBatch): Sessions {
  const options = { ...BATCHES, maxItems: MAX_ITEMS, keyOf: (hash: string) => hash }
  const finder = (name: string) =>
    openFinder(
      new Batcher({
        ...options,
        name,
        onBatch,
        send: (hashes: string[], deadline: number) => findAll(db, hashes, deadline),
      }),
    )
  const touches = new Batcher({
    ...options,
    name: 'sessions.touch',
    send: async (hashes: string[], deadline: number) => {
      await touch(db.background, hashes, deadline)
      return hashes
    },
  })
  const findUnknown = finder('sessions.find')
  const findSeen = finder('sessions.refresh')
  const seen = new RecentlySeen()
  return {
    async insert(hash, keyId, previous) {
      const endsAt = await insert(db, hash, keyId, previous)
      seen.note(hash, true)
      return endsAt
    },
    end: (hash) => end(db, hash),
    note: (hash) => void touches.submit(hash).catch(() => {}),
    async find(hash, caller) {
      const row = await (seen.has(hash) ? findSeen : findUnknown)(hash, caller)
      seen.note(hash, row !== undefined && !row.hasEnded)
      return row
    },
  }
}

function openFinder(finds: Batcher<string, SessionRow | undefined>): Sessions['find'] {
  let waiting = 0
  return async (hash, caller) => {
    if (waiting >= MAX_WAITING) throw new DatabaseBusy('too many sessions wait to be looked up')
    waiting++
    try {
      return await finds.submit(hash, caller)
    } finally {
      waiting--
    }
  }
}

/** Which sessions were open when they were last looked up. The oldest make room. */
class RecentlySeen {
  readonly #hashes = new Map<string, true>()

  has(hash: string) {
    return this.#hashes.has(hash)
  }

  note(hash: string, isOpen: boolean) {
    if (isOpen) keepNewest(this.#hashes, hash, true, MAX_SEEN)
    else this.#hashes.delete(hash)
  }
}
