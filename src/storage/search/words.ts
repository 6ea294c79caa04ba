import { gauge, type Measured } from '../../lib/metric.ts'
import { WORDS_VERSION } from '../../lib/words.ts'
import { asLeader } from '../postgres/leader.ts'
import { LOCKS } from '../postgres/locks.ts'
import { type Queryable, type Transaction, type Transactional, WITHOUT_SEQ_SCAN } from '../postgres/statement.ts'
import { removeStaleWords } from './stale-names.ts'
import { wordEvents } from './unworded-events.ts'
import { noteVersion, readLeft, wordPart } from './word-ranges.ts'

/** For how long what is left may be taken for what it was. */
const FRESH_MS = 1_000

/** The words of pets that no statement has written with its pet: what is left of them, and how it is done. */
export interface Words extends Measured {
  /** How many of 100 pets can be found by name; undefined if all can. At most a second old. */
  found: (deadline?: number) => Promise<number | undefined>
  /** Does a part of what is left, unless another process is doing it. Returns whether there is more to do now. */
  advance: () => Promise<boolean>
}

export function openWords(db: Queryable, background: Transactional): Words {
  let known: { left: number; last: number; at: number } | undefined
  let reading: ReturnType<typeof readLeft> | undefined
  const read = async (deadline?: number) => {
    if (known && performance.now() - known.at < FRESH_MS) return known
    // Those that ask meanwhile share the statement. What it returns is as of its start.
    const at = performance.now()
    reading ??= readLeft(db, deadline).finally(() => {
      reading = undefined
    })
    known = { ...(await reading), at }
    return known
  }
  return {
    async found(deadline) {
      const { left, last } = await read(deadline)
      return left > 0 ? Math.floor(100 * Math.max(0, 1 - left / last)) : undefined
    },
    advance: async () => (await asLeader(background, LOCKS.words, advance)) ?? false,
    metrics: [
      gauge('petstore_search_pets_left', 'Ids of pets that cannot be found by name yet.', async () => {
        const left = await read().catch(() => undefined)
        return left ? [{ labels: {}, value: left.left }] : []
      }),
    ],
  }
}

async function advance(transaction: Transaction) {
  await transaction.query(WITHOUT_SEQ_SCAN)
  const [due] = await transaction.query<{ version: boolean; events: boolean; names: boolean; ranges: boolean }>({
    name: 'words.due',
    text: `
      select not exists (select from words_versions where version >= $1) as version,
             exists (select from events where not worded) as events,
             exists (select from stale_names) as names,
             exists (select from word_ranges) as ranges`,
    values: [WORDS_VERSION],
  })
  if (due?.version) await noteVersion(transaction, WORDS_VERSION)
  const hasMoreEvents = due?.events && (await wordEvents(transaction))
  const hasMoreNames = due?.names && (await removeStaleWords(transaction))
  if (due?.ranges) await wordPart(transaction)
  return Boolean(due?.version || hasMoreEvents || hasMoreNames || due?.ranges)
}
