import { gauge } from '../../lib/metric.ts'
import type { ReadinessTimes } from '../../lib/times.ts'
import { WORDS_VERSION } from '../../lib/words.ts'
import { asLeader } from '../postgres/leader.ts'
import { LOCKS } from '../postgres/locks.ts'
import { type Queryable, type Transaction, type Transactional, WITHOUT_SEQ_SCAN } from '../postgres/statement.ts'
import { removeStaleWords } from './stale-names.ts'
import { wordUnworded } from './unworded-pets.ts'
import { noteVersion, readLeft, wordPart } from './word-ranges.ts'

/** For how long what is left may be taken for what it was. */
const FRESH_MS = 1_000

/** What is left of the words that were not written together with their pets, and how it is done. */
export interface Words {
  /** How many of 100 pets can be found by name; undefined if all can. At most a second old. */
  found: (deadline?: number) => Promise<number | undefined>
  /** Does a part of what is left, unless another process is doing it. Returns whether there is more for this one to do. */
  advance: () => Promise<boolean>
}

export function openWords(db: Queryable, background: Transactional): Words {
  let known: { left: number; last: number } | undefined
  let knownAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const read = async (deadline: number | undefined) => {
    // What it returns is as of its start.
    const at = performance.now()
    known = await readLeft(db, deadline)
    knownAt = at
  }
  const refresh = (deadline: number | undefined) => {
    reading ??= read(deadline).finally(() => {
      reading = undefined
    })
    return reading
  }
  return {
    async found(deadline) {
      if (performance.now() - knownAt >= FRESH_MS) await refresh(deadline)
      if (!known || known.left <= 0) return undefined
      return Math.floor(100 * Math.max(0, 1 - known.left / known.last))
    },
    advance: async () => (await asLeader(background, LOCKS.words, advance)) ?? false,
  }
}

/** Absent while the database is unavailable. */
export function wordsMetric(db: Queryable, { undeliveredMs }: ReadinessTimes) {
  return gauge('petstore_search_pets_left', 'Ids of pets whose words are still to be made.', async () => {
    const left = await readLeft(db, performance.now() + undeliveredMs).catch(() => undefined)
    return left ? [{ labels: {}, value: left.left }] : []
  })
}

async function advance(transaction: Transaction) {
  await transaction.query(WITHOUT_SEQ_SCAN)
  const [due] = await transaction.query<{ version: boolean; pets: boolean; names: boolean; ranges: boolean }>({
    name: 'words.due',
    text: `
      select not exists (select from words_versions where version >= $1) as version,
             exists (select from pets where not worded) as pets,
             exists (select from stale_names) as names,
             exists (select from word_ranges) as ranges`,
    values: [WORDS_VERSION],
  })
  if (due?.version) await noteVersion(transaction, WORDS_VERSION)
  const hasMorePets = due?.pets && (await wordUnworded(transaction))
  const hasMoreNames = due?.names && (await removeStaleWords(transaction))
  if (due?.ranges) await wordPart(transaction)
  return Boolean(due?.version || hasMorePets || hasMoreNames || due?.ranges)
}
