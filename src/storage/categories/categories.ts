import type { Category, CategoryPage } from '../../domain/types/category.ts'
import { Batcher, type Caller, type OnBatch } from '../../lib/batch.ts'
import { BATCHES, pgArrayLiteral } from '../postgres/batches.ts'
import { aggregateOf, int64Text, text, valueAt } from '../postgres/columns.ts'
import type { Queryable, Statement, Writable } from '../postgres/statement.ts'
import { openCategoryChanges } from './changes.ts'

interface StoredCategory extends Category {
  id: string
  version: string
}

/** A part of a walk: up to `limit` records, beginning with the id `from`. */
export interface CategoryPageRequest {
  from: bigint
  limit: number
}

const CATEGORIES = aggregateOf<StoredCategory>({
  id: int64Text('id'),
  name: text('name'),
  version: int64Text('version'),
})

type CategoryColumns = Record<keyof StoredCategory, unknown>

const MAX_PAGES = 10
const MAX_ID_LISTS = 10

/** The records of categories. */
export function openCategories(db: Writable, onBatch?: OnBatch) {
  const pages = new Batcher({
    ...BATCHES,
    name: 'categories.list',
    onBatch,
    maxItems: MAX_PAGES,
    keyOf: ({ from, limit }: CategoryPageRequest) => `${from} ${limit}`,
    send: (requests: CategoryPageRequest[], deadline) => listAll(db, requests, deadline),
  })
  const idLists = new Batcher({
    ...BATCHES,
    name: 'categories.find',
    onBatch,
    maxItems: MAX_ID_LISTS,
    send: (lists: string[][], deadline) => findLists(db, lists, deadline),
  })
  return {
    list: (request: CategoryPageRequest, caller?: Caller): Promise<CategoryPage> => pages.submit(request, caller),
    /** The names of these categories, by their ids; those without a record are not in it. */
    namesOf: (ids: string[], caller?: Caller) => idLists.submit(ids, caller),
    ...openCategoryChanges(db, onBatch),
  }
}

async function listAll(db: Queryable, requests: CategoryPageRequest[], deadline: number): Promise<CategoryPage[]> {
  const rows = await db.query<CategoryColumns>(listStatement(requests), deadline)
  return requests.map(({ limit }, i) => pageOf(toCategories(valueAt(rows, i)), limit))
}

/** Of records in the order of the walk, the first `limit`. */
export function pageOf<Item extends Category>(categories: readonly Item[], limit: number) {
  const first = categories[limit]
  return first ? { categories: categories.slice(0, limit), next: BigInt(first.id) } : { categories }
}

export function listStatement(requests: CategoryPageRequest[]): Statement {
  return {
    name: 'categories.list',
    text: `
      select categories.*
      from unnest($1::bigint[], $2::int[]) with ordinality as page (first, count, position),
      lateral (
        select ${CATEGORIES.selectList}
        from (select * from categories where id >= page.first order by id limit page.count) as categories) as categories
      order by page.position`,
    values: [
      pgArrayLiteral(requests.map(({ from }) => from)),
      // One more than requested shows whether another page follows.
      pgArrayLiteral(requests.map(({ limit }) => limit + 1)),
    ],
  }
}

async function findLists(db: Queryable, lists: string[][], deadline: number) {
  const rows = await db.query<CategoryColumns>(findStatement([...new Set(lists.flat())]), deadline)
  const names = new Map(rows.flatMap(toCategories).map(({ id, name }) => [id, name]))
  return lists.map(() => names)
}

export function findStatement(ids: string[]): Statement {
  return {
    name: 'categories.find',
    text: `select ${CATEGORIES.selectList} from categories where id = any($1::bigint[])`,
    values: [pgArrayLiteral(ids)],
  }
}

function toCategories(row: CategoryColumns): StoredCategory[] {
  const { id: ids, name: names, version: versions } = CATEGORIES.decode(row)
  return ids.map((id, i) => ({ id, name: valueAt(names, i), version: valueAt(versions, i) }))
}
