import { setTimeout as sleep } from 'node:timers/promises'
import { WORDS_VERSION } from '../lib/words.ts'
import type { Database } from '../storage/postgres/database.ts'
import { addAll, readLeft } from '../storage/search/word-ranges.ts'
import { openWords } from '../storage/search/words.ts'

// While another process makes them.
const PAUSE_MS = 100

/**
 * Makes the words of all pets again, alone or together with the processes that serve. They finish it if it is stopped. `onLeft` gets how
 * many ids are left.
 */
export async function rebuildWords({ db }: { db: Database }, onLeft: (left: number) => void, stop: AbortSignal) {
  await addAll(db, WORDS_VERSION)
  const words = openWords(db, db.background)
  for (let { left } = await readLeft(db); left > 0 && !stop.aborted; { left } = await readLeft(db)) {
    onLeft(left)
    const { hasMore, failure } = await words.advance()
    if (hasMore) continue
    if (failure !== undefined) throw failure
    await sleep(PAUSE_MS)
  }
}
