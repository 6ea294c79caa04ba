import type { PetStatus } from '../../domain/types/pet.ts'
import { type PetColumns, SELECT_LISTS } from '../pets/pet-rows.ts'
import { pgArrayLiteral } from '../postgres/batches.ts'
import type { Statement } from '../postgres/statement.ts'
import { type Left, leftIf } from './word-ranges.ts'

/** Which pets a search is for, besides their names. */
export interface Filter {
  status?: PetStatus | undefined
  categoryId?: bigint | undefined
}

/** A page costs no more entries of the index than this, however few of their pets match. More of a term are not counted. */
export const MAX_ENTRIES = 1_000
/**
 * Nor more characters of names, as they are when their words are made: some take a hundred times as long to read as ordinary ones, of which
 * these are thousands.
 */
export const MAX_NAME_LENGTH = 32_768
/** If no more pets than this have the category and status of a search, all of them are read. */
export const MAX_FILTERED = 1_000
// No word has more characters, and none is above these.
const ABOVE_EVERY_WORD = '\u{10ffff}'.repeat(33)

/**
 * The pets of a category and status, or of a status, as far as one more than `MAX_FILTERED`. A category is up to four ranges of the
 * index pets_category; each status has an index of its own, which the planner takes only for a constant.
 */
const FILTERED = `
          select * from (
            select pets.*
            from (values (''), ('available'), ('pending'), ('sold')) as range (status),
            lateral (
              select * from pets
              where (category_id, coalesce(status, ''), id) > (page.category_id, range.status, 0)
                and (category_id, coalesce(status, ''), id) < (page.category_id, range.status, 9223372036854775807)
              order by category_id, coalesce(status, ''), id limit ${MAX_FILTERED + 1}) as pets
            where page.status is null or range.status = page.status
            union all
            (select * from pets where status = 'available' and page.category_id is null and page.status = 'available'
             order by id limit ${MAX_FILTERED + 1})
            union all
            (select * from pets where status = 'pending' and page.category_id is null and page.status = 'pending'
             order by id limit ${MAX_FILTERED + 1})
            union all
            (select * from pets where status = 'sold' and page.category_id is null and page.status = 'sold'
             order by id limit ${MAX_FILTERED + 1})) as pets
          limit ${MAX_FILTERED + 1}`

/** Null where the statement was told not to read it. */
type LeftRead = Pick<Left, 'last'> & { left: number | null }

export interface SizesRow extends LeftRead {
  /** How many entries each term has, as far as they are counted; joined by commas. */
  entries: string
  /** How many pets the filter has, as far as they are counted. */
  filtered: number
}

/** What a search has to read at most: for each of its terms, and for its filter. */
export function sizesStatement(
  searches: readonly (Filter & { terms: readonly string[] })[],
  readsLeft: boolean,
): Statement {
  return {
    name: 'pets.find-by-name.sizes',
    text: `
      select (
          select string_agg(entries.count::text, ',' order by term.position)
          from unnest(string_to_array(page.terms, ' '), string_to_array(page.ends, ' ')) with ordinality
            as term (start, stop, position),
          lateral (
            select count(*) from (
              select from pet_words
              where (word, pet_id) > (term.start collate "C", 0) and (word, pet_id) < (term.stop collate "C", 0)
              order by word, pet_id limit ${MAX_ENTRIES}) as entries) as entries) as entries,
        (select count(*)::int from (${FILTERED}) as pets) as filtered, ${leftIf('$5::boolean')}
      from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) with ordinality
        as page (terms, ends, status, category_id, position)
      order by page.position`,
    values: [
      // No term has a space.
      searches.map(({ terms }) => terms.join(' ')),
      searches.map(({ terms }) => terms.map(endOf).join(' ')),
      ...filterColumns(searches),
      readsLeft,
    ],
  }
}

export interface FilteredRow extends PetColumns, LeftRead {
  /** Otherwise they are too many, or their names too long, to be read for one page; then none is here. */
  isWhole: boolean
}

/** All pets of each filter. */
export function filteredStatement(filters: readonly Filter[], readsLeft: boolean): Statement {
  return {
    name: 'pets.find-by-name.filtered',
    text: `
      select pets.*, ${leftIf('$3::boolean')}
      from unnest($1::text[], $2::bigint[]) with ordinality as page (status, category_id, position),
      lateral (
        with pets as materialized (${FILTERED}),
        size as materialized (
          select count(*) <= ${MAX_FILTERED} and coalesce(sum(octet_length(name)), 0) <= ${MAX_NAME_LENGTH} as "isWhole"
          from pets)
        select (select "isWhole" from size) as "isWhole", ${SELECT_LISTS.full}
        from pets where (select "isWhole" from size)) as pets
      order by page.position`,
    values: [...filterColumns(filters), readsLeft],
  }
}

/** What to read of a range of words: so many entries after a place. */
export interface Range extends Filter {
  term: string
  after: { word: string; id: bigint }
  count: number
}

export interface EntriesRow extends PetColumns, LeftRead {
  /** The word of each pet by which it was found. */
  words: string[] | null
  /** How many entries were read, and of how many the pet still exists. */
  read: number
  existing: number
  /** The last entry that was read. */
  lastWord: string | null
  lastId: bigint | null
}

/** The next entries of each range, with those of their pets that have the category and status. */
export function entriesStatement(ranges: readonly Range[], readsLeft: boolean): Statement {
  return {
    name: 'pets.find-by-name.entries',
    // The planner takes a limit that it does not know for a tenth of all rows, and might sort them. No range reaches the one it knows.
    text: `
      select found.*, ${leftIf('$7::boolean')}
      from unnest($1::text[], $2::bigint[], $3::text[], $4::int[], $5::text[], $6::bigint[]) with ordinality
        as page (word, after, stop, count, status, category_id, position),
      lateral (
        with entries as materialized (
          select * from (
            select word, pet_id from pet_words
            where (word, pet_id) > (page.word collate "C", page.after) and (word, pet_id) < (page.stop collate "C", 0)
            order by word, pet_id limit ${MAX_ENTRIES}) as entries
          limit page.count),
        found as materialized (
          select entries.word, pets.*
          from entries, lateral (select * from pets where id = entries.pet_id offset 0) as pets
          order by entries.word, entries.pet_id)
        select ${SELECT_LISTS.full}, json_agg(word) as words,
               (select count(*)::int from entries) as read, (select count(*)::int from found) as existing,
               (select word from entries order by word desc, pet_id desc limit 1) as "lastWord",
               (select pet_id from entries order by word desc, pet_id desc limit 1) as "lastId"
        from found
        where (page.status is null or status = page.status)
          and (page.category_id is null or category_id = page.category_id)) as found
      order by page.position`,
    values: [
      ranges.map(({ after }) => after.word),
      pgArrayLiteral(ranges.map(({ after }) => after.id)),
      ranges.map(({ term }) => endOf(term)),
      pgArrayLiteral(ranges.map(({ count }) => count)),
      ...filterColumns(ranges),
      readsLeft,
    ],
  }
}

/** Above every word that begins with the term. */
function endOf(term: string) {
  return `${term}${ABOVE_EVERY_WORD}`
}

function filterColumns(filters: readonly Filter[]) {
  return [
    pgArrayLiteral(filters.map(({ status = null }) => status)),
    pgArrayLiteral(filters.map(({ categoryId = null }) => categoryId)),
  ]
}
