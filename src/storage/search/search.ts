import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SearchPage } from '../../domain/types/pet.ts'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { counter, type Measured } from '../../lib/metric.ts'
import { BATCHES } from '../postgres/batches.ts'
import { int64sOf, valueAt } from '../postgres/columns.ts'
import type { Queryable } from '../postgres/statement.ts'
import { Completeness } from './completeness.ts'
import { type Choice, Searching, type SearchRequest } from './searching.ts'
import {
  type EntriesRow,
  entriesStatement,
  type FilteredRow,
  filteredStatement,
  MAX_FILTERED,
  type SizesRow,
  sizesStatement,
} from './statements.ts'
import type { Left } from './word-ranges.ts'

/** Finds pets by the words of their names, in the order of the words. */
export interface Search extends Measured {
  find: (request: SearchRequest, caller?: Caller) => Promise<SearchPage>
}

// A search is many times the work of a page of a list.
const MAX_SEARCHES = 10

export function openSearch(db: Queryable, onBatch?: OnBatch): Search {
  let [short, stale] = [0, 0]
  const completeness = new Completeness(db)
  const searches = new Batcher({
    ...BATCHES,
    name: 'pets.find-by-name',
    onBatch,
    maxItems: MAX_SEARCHES,
    // No term has a space.
    keyOf: ({ limit, view, status, categoryId, after, terms }: SearchRequest) =>
      [limit, view, status, categoryId, after?.walk, after?.id, after?.word, ...terms].join(' '),
    send: async (requests, deadline) => {
      const searched = await searchAll(db, requests, await completeness.left(deadline), deadline)
      return searched.map(({ page, stale: passed, request }) => {
        stale += passed
        if (page.next && page.pets.length < request.limit) short++
        return page
      })
    },
  })
  return {
    find: (request, caller) => searches.submit(request, caller),
    metrics: [
      counter(
        'petstore_search_short_pages_total',
        'Pages of searches that are not full, and have a next one.',
        () => short,
      ),
      counter(
        'petstore_search_stale_entries_total',
        'Words read by searches, of pets that are deleted or have another name now.',
        () => stale,
      ),
    ],
  }
}

/** `left`: what is left of the words, if that is known. */
async function searchAll(db: Queryable, requests: readonly SearchRequest[], left: Left | undefined, deadline: number) {
  const readsLeft = left === undefined
  const searches = await begin(db, requests, readsLeft, deadline)
  if (left) for (const search of searches) search.noteLeft(left)
  const filtered = searches.filter(({ isFiltered }) => isFiltered)
  if (filtered.length > 0) {
    const statement = filteredStatement(
      filtered.map(({ request }) => request),
      readsLeft,
    )
    const rows = await db.query<FilteredRow>(statement, deadline)
    await inTurns(filtered, (search, i) => search.readFiltered(valueAt(rows, i)))
  }
  for (;;) {
    const open = searches.filter(({ isDone }) => !isDone)
    if (open.length === 0) return searches
    const rows = await db.query<EntriesRow>(
      entriesStatement(
        open.map(({ range }) => range),
        readsLeft,
      ),
      deadline,
    )
    await inTurns(open, (search, i) => search.readEntries(valueAt(rows, i)))
  }
}

/** Each in a turn of the event loop of its own: names that are long to read must not keep other requests waiting. */
async function inTurns<Item>(items: readonly Item[], read: (item: Item, place: number) => Promise<void>) {
  for (const [i, item] of items.entries()) {
    if (i > 0) await nextTurn()
    await read(item, i)
  }
}

async function begin(db: Queryable, requests: readonly SearchRequest[], readsLeft: boolean, deadline: number) {
  const open = requests.filter((request) => !request.after && (request.terms.length > 1 || hasFilter(request)))
  const rows = open.length === 0 ? [] : await db.query<SizesRow>(sizesStatement(open, readsLeft), deadline)
  const sizes = new Map(open.map((request, i) => [request, valueAt(rows, i)]))
  return requests.map((request) => {
    const row = sizes.get(request)
    // The order of a walk that has begun stays: pages of a filter are in that of the first term.
    if (!row) return new Searching(request, { walk: request.after?.walk ?? 0, otherwise: 0 })
    const search = new Searching(request, shortestWalk(request, row))
    search.noteLeft(row)
    return search
  })
}

function hasFilter({ status, categoryId }: SearchRequest) {
  return status !== undefined || categoryId !== undefined
}

/** The shortest walk that meets all pets of a search: through the words of one of its terms, or through the pets of its filter. */
function shortestWalk(request: SearchRequest, { entries, filtered }: SizesRow): Choice {
  const { terms } = request
  const sizes = int64sOf(entries, terms.length).map(Number)
  const least = Math.min(...sizes)
  // The longest of those that are equal: where counting ended, it may still be the rarest.
  const rarest = terms.filter((_, i) => sizes[i] === least)
  const term = terms.indexOf(rarest.reduce((a, b) => (b.length > a.length ? b : a)))
  const isFilterShorter = hasFilter(request) && filtered <= Math.min(least, MAX_FILTERED)
  return { walk: isFilterShorter ? 'filter' : term, otherwise: term }
}
