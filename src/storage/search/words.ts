import { gauge } from '../../lib/metric.ts'
import type { ReadinessTimes } from '../../lib/times.ts'
import { WORDS_VERSION } from '../../lib/words.ts'
import { asLeader } from '../postgres/leader.ts'
import { LOCKS } from '../postgres/locks.ts'
import { type Queryable, type Transaction, type Transactional, WITHOUT_SEQ_SCAN } from '../postgres/statement.ts'
import { Completeness } from './completeness.ts'
import { removeStaleWords } from './stale-names.ts'
import { wordUnworded } from './unworded-pets.ts'
import { foundPercent, noteVersion, readLeft, wordPart } from './word-ranges.ts'

/** What is left of the words that were not written together with their pets, and how it is done. */
export interface Words {
  /** How many of 100 pets can be found by name; undefined if all can. */
  found: (deadline?: number) => Promise<number | undefined>
  /** Does a part of what is left, unless another process is doing it. */
  advance: () => Promise<Round>
}

interface Round {
  /** Whether there is more for this process to do. */
  hasMore: boolean
  /** Why one of the parts could not be done, although the others were. */
  failure: unknown
}

export function openWords(db: Queryable, background: Transactional): Words {
  const completeness = new Completeness(db)
  return {
    found: async (deadline) => foundPercent((await completeness.left(deadline)) ?? (await readLeft(db, deadline))),
    advance: () => advance(background),
  }
}

/** Absent while the database is unavailable. */
export function wordsMetric(db: Queryable, { undeliveredMs }: ReadinessTimes) {
  return gauge('petstore_search_pets_left', 'Ids of pets whose words are still to be made.', async () => {
    const left = await readLeft(db, performance.now() + undeliveredMs).catch(() => undefined)
    return left ? [{ labels: {}, value: left.left }] : []
  })
}

interface Due {
  /** Whether a version with other words has served: what is left is left to it, since words of these rules would not do. */
  later: boolean
  version: boolean
  pets: boolean
  names: boolean
  ranges: boolean
}

/** Each in a transaction of its own: one that fails must not keep the others from being done. */
const PARTS: [due: keyof Due, work: (transaction: Transaction) => Promise<boolean>][] = [
  ['version', (transaction) => noteVersion(transaction, WORDS_VERSION)],
  ['pets', wordUnworded],
  ['names', removeStaleWords],
  ['ranges', wordPart],
]

async function advance(background: Transactional): Promise<Round> {
  const round: Round = { hasMore: false, failure: undefined }
  let left = PARTS
  const work = async (transaction: Transaction) => {
    const due = await readDue(transaction)
    while (left[0] && (due.later || !due[left[0][0]])) left = left.slice(1)
    return left[0] ? await left[0][1](transaction) : false
  }
  while (left.length > 0) {
    try {
      const hasMore = await asLeader(background, LOCKS.words, work)
      // Another process is doing it.
      if (hasMore === undefined) break
      round.hasMore ||= hasMore
    } catch (error) {
      round.failure ??= error
    }
    left = left.slice(1)
  }
  return round
}

async function readDue(transaction: Transaction): Promise<Due> {
  await transaction.query(WITHOUT_SEQ_SCAN)
  const [due] = await transaction.query<Due & Record<string, unknown>>({
    name: 'words.due',
    text: `
      select exists (select from words_versions where version > $1) as later,
             not exists (select from words_versions where version = $1) as version,
             exists (select from pets where not worded) as pets,
             exists (select from stale_names) as names,
             exists (select from word_ranges) as ranges`,
    values: [WORDS_VERSION],
  })
  if (!due) throw new Error('a statement returned no row')
  return due
}
