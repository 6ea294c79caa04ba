import type { PetCounts } from '../../domain/types/category.ts'
import type { PetStatus } from '../../domain/types/pet.ts'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { BATCHES, pgArrayLiteral } from '../postgres/batches.ts'
import { int64sOf, valueAt } from '../postgres/columns.ts'
import type { Queryable, Statement } from '../postgres/statement.ts'

/** A count stops here, so that it reads at most so many entries of an index. */
export const MAX_COUNT = 1_000
/** The counts of a page of categories, of which there are eighty, stop here. */
export const MAX_COUNT_EACH = 100

export interface CountRequest {
  status?: PetStatus | undefined
  categoryId?: bigint | undefined
}

/** Entries of the index pets_category that follow each other: those of a category from one status to another; `''` is none. */
interface Range {
  categoryId: bigint
  first: PetStatus | ''
  last: PetStatus | ''
}

// Each entry of a range is looked up in the table, so a statement takes as long as it may only with few ranges.
const MAX_RANGES = 10
const MAX_CATEGORY_LISTS = 1

/** Counts pets, up to `MAX_COUNT` of each kind, or `MAX_COUNT_EACH` for a page of categories. */
export function openCounts(db: Queryable, onBatch?: OnBatch) {
  const open = (status?: PetStatus) =>
    new Batcher({
      ...BATCHES,
      name: nameOf(status),
      onBatch,
      maxItems: 1,
      keyOf: () => '', // all that wait share one count
      send: async (requests: CountRequest[], deadline) => {
        const [row] = await db.query<{ count: string }>(countStatement(status), deadline)
        return requests.map(() => Number(row?.count))
      },
    })
  const batchers = { all: open(), available: open('available'), pending: open('pending'), sold: open('sold') }
  const ranges = new Batcher({
    ...BATCHES,
    name: 'pets.count.category',
    onBatch,
    maxItems: MAX_RANGES,
    keyOf: ({ categoryId, first, last }: Range) => `${categoryId} ${first} ${last}`,
    send: (items: Range[], deadline) => countRanges(db, 'pets.count.category', items, deadline, MAX_COUNT),
  })
  // Apart from single counts, which would wait for eighty times as many otherwise.
  const categories = new Batcher({
    ...BATCHES,
    name: 'pets.count.categories',
    onBatch,
    maxItems: MAX_CATEGORY_LISTS,
    keyOf: String,
    send: async (lists: bigint[][], deadline) => {
      const counts = await countCategories(db, 'pets.count.categories', lists.flat(), deadline, MAX_COUNT_EACH)
      return lists.map((ids) => counts.splice(0, ids.length))
    },
  })
  // For all statuses of a category together, so that they are counted as of one moment.
  const statuses = new Batcher({
    ...BATCHES,
    name: 'pets.count.statuses',
    onBatch,
    maxItems: Math.floor(MAX_RANGES / STATUSES.length),
    keyOf: String,
    send: (ids: bigint[], deadline) => countCategories(db, 'pets.count.statuses', ids, deadline, MAX_COUNT),
  })
  return {
    /** How many pets match. */
    count({ status, categoryId }: CountRequest, caller?: Caller) {
      if (categoryId === undefined) return batchers[status ?? 'all'].submit({}, caller)
      return ranges.submit({ categoryId, first: status ?? '', last: status ?? 'sold' }, caller)
    },
    /** For each category how many pets it has of each status. */
    countEach: (ids: bigint[], caller?: Caller) => categories.submit(ids, caller),
    /** How many pets of a category have each status. */
    countStatuses: (categoryId: bigint, caller?: Caller) => statuses.submit(categoryId, caller),
  }
}

function nameOf(status: PetStatus | undefined) {
  return `pets.count.${status ?? 'all'}`
}

/** The status is a constant, so that PostgreSQL uses the partial index of that status. */
export function countStatement(status?: PetStatus): Statement {
  return {
    name: nameOf(status),
    text: `
      select count(*) from (
        select from pets${status ? ` where status = '${status}'` : ''} order by id limit ${MAX_COUNT}) as pets`,
  }
}

async function countCategories(db: Queryable, name: string, ids: bigint[], deadline: number, most: number) {
  const counts = await countRanges(db, name, ids.flatMap(rangesOf), deadline, most)
  return ids.map(() => toPetCounts(counts.splice(0, STATUSES.length)))
}

const STATUSES = ['available', 'pending', 'sold', ''] as const

export function rangesOf(categoryId: bigint): Range[] {
  return STATUSES.map((status) => ({ categoryId, first: status, last: status }))
}

function toPetCounts(counts: number[]): PetCounts {
  return {
    available: valueAt(counts, 0),
    pending: valueAt(counts, 1),
    sold: valueAt(counts, 2),
    none: valueAt(counts, 3),
  }
}

async function countRanges(db: Queryable, name: string, ranges: Range[], deadline: number, most: number) {
  const [row] = await db.query<{ counts: string }>(rangesStatement(name, ranges, most), deadline)
  return int64sOf(row?.counts, ranges.length).map(Number)
}

/** Row comparisons, as for the pages of a category: no other form always uses its index. */
export function rangesStatement(name: string, ranges: Range[], most: number): Statement {
  const key = `(category_id, coalesce(status, ''), id)`
  return {
    name,
    text: `
      select string_agg(pets.count::text, ',' order by range.position) as counts
      from unnest($1::bigint[], $2::text[], $3::text[]) with ordinality
        as range (category_id, first, last, position),
      lateral (
        select count(*)
        from (
          select from pets
          where ${key} > (range.category_id, range.first, 0)
            and ${key} < (range.category_id, range.last, 9223372036854775807)
          order by category_id, coalesce(status, ''), id limit ${most}) as pets) as pets`,
    values: [
      pgArrayLiteral(ranges.map(({ categoryId }) => categoryId)),
      ranges.map(({ first }) => first),
      ranges.map(({ last }) => last),
    ],
  }
}
