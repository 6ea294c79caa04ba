import type { IdRange } from '../../domain/types/event.ts'
import { NameReader } from '../../lib/name-reader.ts'
import { aggregateOf, int64Text, text, valueAt } from '../postgres/columns.ts'
import type { Queryable, Transaction } from '../postgres/statement.ts'
import { LAST_LIVE_ID } from '../stores/row.ts'
import { ADD_WORDS, wordColumns } from './written-words.ts'

// Takes some milliseconds, so that other work need not wait long for the next part.
const PART = 1_000
// Of the pets that a version without words has added.
const MAX_COUNTED = 1_000

const LAST_ID = `coalesce(pg_sequence_last_value('pets_id_seq'), 0)`
// The ids of a sandbox begin after LAST_LIVE_ID.
const COUNT = `${LAST_ID} % ${LAST_LIVE_ID}`
const ADD_ALL = `insert into word_ranges (last_id, reached) select ${LAST_ID}, ${LAST_ID} - ${COUNT}`

/** Has the words made of pets with these ids. */
export async function addRange(db: Queryable, { first, last }: IdRange) {
  await db.query({
    name: 'words.addRange',
    text: 'insert into word_ranges (last_id, reached) values ($1, $2)',
    values: [last, first - 1n],
  })
}

/**
 * Has the words of all pets made again, by the rules of this version. A later one that has served before begins again when it comes back.
 */
export async function addAll(db: Queryable, version: number) {
  await db.query({
    name: 'words.addAll',
    text: `
      with later as (delete from words_versions where version > $1)
      ${ADD_ALL}`,
    values: [version],
  })
}

/** The same, if no process of this version has done so before. */
export async function noteVersion(db: Queryable, version: number) {
  await db.query({
    name: 'words.noteVersion',
    text: `
      with added as (insert into words_versions values ($1) on conflict do nothing returning 1)
      ${ADD_ALL} from added`,
    values: [version],
  })
  return true
}

export interface Left {
  /** How many ids the ranges still have, with the pets of a version without words as far as they are counted. */
  left: number
  /** How many ids there are up to the last that anyone has drawn. */
  last: number
}

/**
 * SQL for the columns of `Left`, read once for each statement, and only on this condition. Ordered as the index pets_unworded, which is
 * empty otherwise.
 */
export function leftIf(condition: string) {
  return `case when ${condition} then (
        select coalesce(sum(last_id - reached), 0)::float8
               + (select count(*) from (select from pets where not worded order by id limit ${MAX_COUNTED}) as unworded)::float8
        from word_ranges) end as left, (select (${COUNT})::float8) as last`
}

/** How many of 100 pets can be found; undefined if all can. */
export function foundPercent({ left, last }: Left) {
  return left <= 0 ? undefined : Math.floor(100 * Math.max(0, 1 - left / last))
}

export async function readLeft(db: Queryable, deadline?: number) {
  const [row] = await db.query<{ left: number; last: number }>(
    { name: 'words.left', text: `select ${leftIf('true')}` },
    deadline,
  )
  if (!row) throw new Error('a statement returned no row')
  return row
}

const PETS = aggregateOf<{ id: string; name: string }>({ id: int64Text('id'), name: text('name') })

/**
 * Makes the words of the next pets of the range that has the fewest left: a small import does not wait for a large one, or for all pets.
 * Returns whether there may be more to do now.
 */
export async function wordPart(transaction: Transaction) {
  const [row] = await transaction.query<{ range: bigint; id: unknown; name: unknown }>({
    name: 'words.nextPets',
    text: `
      with range as (select id, reached, last_id from word_ranges order by last_id - reached, id limit 1)
      select range.id as range, pets.*
      from range, lateral (
        select ${PETS.selectList}
        from (
          select id, name from pets where pets.id > reached and pets.id <= last_id order by pets.id limit ${PART}) as pets) as pets`,
  })
  if (!row) return false
  const { id: ids, name: names } = PETS.decode(row)
  const words = await new NameReader().wordsOfEach(names)
  const reached = ids.length < PART ? null : ids.at(-1)
  await transaction.query({
    name: 'words.addPart',
    text: `
      with added as (${ADD_WORDS}),
      moved as (update word_ranges set reached = $4::bigint where id = $3 and $4::bigint is not null)
      delete from word_ranges where id = $3 and $4::bigint is null`,
    values: [...wordColumns(ids.map((id, i) => ({ id, words: valueAt(words, i) }))), row.range, reached],
  })
  return true
}
