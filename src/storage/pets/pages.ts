import type { PetPage, PetStatus, Sort, View } from '../../domain/types/pet.ts'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { BATCHES, pgArrayLiteral } from '../postgres/batches.ts'
import { valueAt } from '../postgres/columns.ts'
import type { Queryable, Statement } from '../postgres/statement.ts'
import { type PetColumns, READERS, SELECT_LISTS, type StoredPet } from './pet-rows.ts'

/** What decides which statement reads a page. */
export interface Listing {
  status?: PetStatus | undefined
  categoryId?: bigint | undefined
  sort: Sort
  view: View
}

/** A part of a walk: up to `limit` pets that come after the id `after`. */
export interface PageRequest extends Listing {
  after: bigint
  limit: number
}

type Position = Omit<PageRequest, 'sort' | 'view'>

// A larger batch would not be cheaper per item, and would make its first items wait for the others.
const MAX_PAGES = 30

/** Reads pages. Requests of one listing share statements. */
export function openPages(db: Queryable, onBatch?: OnBatch) {
  const open = (listing: Listing, keyOf: (request: PageRequest) => string) =>
    new Batcher({
      ...BATCHES,
      name: nameOf(listing),
      onBatch,
      maxItems: MAX_PAGES,
      keyOf,
      send: (requests: PageRequest[], deadline) => listAll(db, listing, requests, deadline),
    })
  const openAll = (sort: Sort, view: View) => ({
    all: open({ sort, view }, positionOf),
    available: open({ sort, view, status: 'available' }, positionOf),
    pending: open({ sort, view, status: 'pending' }, positionOf),
    sold: open({ sort, view, status: 'sold' }, positionOf),
    category: open({ sort, view, categoryId: 0n }, positionInCategory),
  })
  const batchers = {
    oldest: { basic: openAll('oldest', 'basic'), full: openAll('oldest', 'full') },
    newest: { basic: openAll('newest', 'basic'), full: openAll('newest', 'full') },
  }
  return (request: PageRequest, caller?: Caller) => {
    const { status = 'all', categoryId, sort, view } = request
    return batchers[sort][view][categoryId === undefined ? status : 'category'].submit(request, caller)
  }
}

// These two decide which pages of a listing are equal.
function positionOf({ after, limit }: PageRequest) {
  return `${after} ${limit}`
}

function positionInCategory({ categoryId, status, after, limit }: PageRequest) {
  return `${categoryId} ${status} ${after} ${limit}`
}

/** One name for each statement. All statuses of a category share one. */
function nameOf({ status, categoryId, sort, view }: Listing) {
  const name = `pets.list.${categoryId === undefined ? (status ?? 'all') : 'category'}`
  return `${name}${sort === 'newest' ? '.newest' : ''}${view === 'full' ? '.full' : ''}`
}

async function listAll(db: Queryable, listing: Listing, requests: PageRequest[], deadline: number): Promise<PetPage[]> {
  const rows = await db.query<PetColumns>(listStatement(listing, requests), deadline)
  const read = READERS[listing.view]
  return requests.map(({ limit }, i) => pageOf(read(valueAt(rows, i)), limit))
}

/**
 * Each status has a statement of its own with the value written in it, so that the planner can use that status's partial
 * index. With `status = $1` it settles on a plan that walks the whole table for a rare status.
 */
export function listStatement(listing: Listing, requests: Position[]): Statement {
  if (listing.categoryId !== undefined) return categoryStatement(listing, requests)
  const { status, sort, view } = listing
  const isNewest = sort === 'newest'
  return {
    name: nameOf(listing),
    text: `
      select pets.*
      from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
      lateral (
        select ${SELECT_LISTS[view]}
        from (
          select * from pets
          where id ${isNewest ? '<' : '>'} page.after${status ? ` and status = '${status}'` : ''}
          order by id${isNewest ? ' desc' : ''} limit page.count) as pets) as pets
      order by page.position`,
    values: [pgArrayLiteral(requests.map(({ after }) => after)), countsOf(requests)],
  }
}

/**
 * A category and a status are one range of the index pets_category; a category alone is four, merged by id. The ranges are row
 * comparisons: with `category_id = … and status = …` the planner takes the index of the status and filters all of it.
 */
function categoryStatement(listing: Listing, requests: Position[]): Statement {
  const { sort, view } = listing
  const key = `(category_id, coalesce(status, ''), id)`
  const at = (id: string) => `(page.category_id, range.status, ${id})`
  // No pet has the id 0 or 2^63 - 1.
  const [where, direction] =
    sort === 'newest'
      ? [`${key} < ${at('page.after')} and ${key} > ${at('0')}`, ' desc']
      : [`${key} > ${at('page.after')} and ${key} < ${at('9223372036854775807')}`, '']
  return {
    name: nameOf(listing),
    // The planner takes a limit that it does not know for a tenth of all rows, and might sort them. No page reaches the one it knows.
    text: `
      select pets.*
      from unnest($1::bigint[], $2::text[], $3::bigint[], $4::int[]) with ordinality
        as page (category_id, status, after, count, position),
      lateral (
        select ${SELECT_LISTS[view]}
        from (
          select pets.*
          from (values (''), ('available'), ('pending'), ('sold')) as range (status),
          lateral (
            select * from (
              select * from pets
              where ${where}
              order by category_id${direction}, coalesce(status, '')${direction}, id${direction} limit 1000) as pets
            limit page.count) as pets
          where page.status is null or range.status = page.status
          order by id${direction} limit page.count) as pets) as pets
      order by page.position`,
    values: [
      pgArrayLiteral(requests.map(({ categoryId = null }) => categoryId)),
      pgArrayLiteral(requests.map(({ status = null }) => status)),
      pgArrayLiteral(requests.map(({ after }) => after)),
      countsOf(requests),
    ],
  }
}

/** One more than requested shows whether another page follows. */
function countsOf(requests: Position[]) {
  return pgArrayLiteral(requests.map(({ limit }) => limit + 1))
}

/** Of pets in the order of the walk, the first `limit`. */
export function pageOf(pets: StoredPet[], limit: number): PetPage {
  const last = pets[limit - 1]
  return pets.length > limit && last ? { pets: pets.slice(0, limit), next: BigInt(last.id) } : { pets }
}
