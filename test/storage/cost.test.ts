import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import {
  findStatement as findCategories,
  listStatement as listCategories,
} from '../../src/storage/categories/categories.ts'
import { countStatement, MAX_COUNT, MAX_COUNT_EACH, rangesOf, rangesStatement } from '../../src/storage/pets/counts.ts'
import { type Listing, listStatement } from '../../src/storage/pets/pages.ts'
import { findStatement, findVersionedStatement } from '../../src/storage/pets/pets.ts'
import { connectionSettings } from '../../src/storage/postgres/connection.ts'
import { createDatabase } from '../support/database.ts'
import { LONG } from '../support/long.ts'
import { rowsReadBy } from '../support/rows-read.ts'

const PETS = LONG ? 1_000_000 : 100_000
const RARE = 60
const CATEGORIES = { common: 1n, ordinary: 500n, rare: 5_000_000n, absent: 123_456n }

const { url, pool } = await createDatabase()
const client = new pg.Client(connectionSettings(url))

// Sold is rare, and stands at the end: the worst case for a plan that walks the table and filters. So does a rare category, and
// half of all pets are of a common one.
const insert = `
  insert into pets (name, category_id, status)
  select 'pet ' || i,
         case when i > ${PETS - 3} then ${CATEGORIES.rare} when i % 2 = 1 then ${CATEGORIES.common} else i % 1000 end,
         case when i > ${PETS - RARE} then 'sold' when i % 3 = 0 then 'available' when i % 3 = 1 then 'pending' end
  from generate_series($1::int, $2::int) as i`
// As many records of categories as there are pets.
const insertCategories = `
  insert into categories (id, name) select i, 'category ' || i from generate_series($1::bigint, $2::bigint) as i`
// Until they are made again, the statistics are those of the first pets.
await pool.query('alter table pets set (autovacuum_enabled = off)')
await pool.query(insert, [1, 1_000])
await pool.query(insertCategories, [-1_000, -1])
await pool.query('analyze pets, categories')
await pool.query(insert, [1_001, PETS])
await pool.query(insertCategories, [0, PETS])
await client.connect()

const MIDDLE = BigInt(PETS / 2)
const LISTED = { sort: 'oldest', view: 'basic' } as const
const STATUSES = [undefined, 'available', 'pending', 'sold'] as const // and sold is rare

for (const statistics of ['stale', 'fresh']) {
  if (statistics === 'fresh')
    test('statistics are made', async () => void (await pool.query('vacuum analyze pets, categories')))

  for (const [name, categoryId] of Object.entries(CATEGORIES)) {
    for (const status of STATUSES) {
      test(`F2 a page of a category (${name}, ${status}) reads at most limit + 1 rows of each status, with ${statistics} statistics`, async () => {
        for (const listing of listingsOf({ categoryId, status })) {
          for (const limit of [1, 20, 100]) {
            for (const after of [startOf(listing), MIDDLE]) {
              const read = await rowsReadBy(client, listStatement(listing, [{ categoryId, status, after, limit }]))
              const most = name === 'absent' ? 0 : (status ? 1 : 4) * (limit + 1)
              assert.ok(read <= most, `${read} rows read: ${listing.sort} ${listing.view} ${limit} after ${after}`)
            }
          }
        }
      })
    }
  }

  test(`F2 thirty pages of categories at once read no more than one after the other, with ${statistics} statistics`, async () => {
    const categories = [...Object.values(CATEGORIES), 2n]
    const pages = Array.from({ length: 30 }, (_, i) => ({
      categoryId: categories[i % categories.length],
      status: STATUSES[i % STATUSES.length],
      after: BigInt((i * 3 * PETS) / 100 + 1),
      limit: 20,
    }))
    const most = pages.reduce((sum, { status }) => sum + (status ? 1 : 4) * 21, 0)
    for (const listing of listingsOf({ categoryId: 1n })) {
      const read = await rowsReadBy(client, listStatement(listing, pages))
      assert.ok(read > 0 && read <= most, `${read} rows read`)
    }
  })

  for (const status of STATUSES) {
    test(`a count with status ${status} reads at most 1,000 rows, with ${statistics} statistics`, async () => {
      const read = await rowsReadBy(client, countStatement(status))
      assert.ok(read > 0 && read <= MAX_COUNT, `${read} rows read`)
    })

    test(`a count of a category with status ${status} reads at most 1,000 rows, with ${statistics} statistics`, async () => {
      for (const [name, categoryId] of Object.entries(CATEGORIES)) {
        const range = { categoryId, first: status ?? '', last: status ?? 'sold' } as const
        const read = await rowsReadBy(client, rangesStatement('pets.count.category', [range], MAX_COUNT))
        assert.ok(read <= MAX_COUNT && read <= (name === 'absent' ? 0 : PETS), `${name}: ${read} rows read`)
      }
    })
  }

  test(`the counts of a page of categories read at most 100 rows each, those of one 1,000, with ${statistics} statistics`, async () => {
    const ids = [...Object.values(CATEGORIES), ...Array.from({ length: 16 }, (_, i) => BigInt(i * 2))]
    for (const each of ids) {
      const read = await rowsReadBy(client, rangesStatement('pets.count.categories', rangesOf(each), MAX_COUNT_EACH))
      assert.ok(read <= 4 * MAX_COUNT_EACH, `${each}: ${read} rows read`)
    }
    for (const categoryId of Object.values(CATEGORIES)) {
      const read = await rowsReadBy(client, rangesStatement('pets.count.statuses', rangesOf(categoryId), MAX_COUNT))
      assert.ok(read <= 4 * MAX_COUNT, `${categoryId}: ${read} rows read`)
    }
    const read = await rowsReadBy(
      client,
      rangesStatement('pets.count.categories', ids.flatMap(rangesOf), MAX_COUNT_EACH),
    )
    assert.ok(read > 0 && read <= 80 * MAX_COUNT_EACH, `${read} rows read`)
  })

  test(`a page of categories reads at most limit + 1 rows, through an index, with ${statistics} statistics`, async () => {
    for (const limit of [1, 20, 100, 1_000])
      for (const from of [-(2n ** 63n), MIDDLE, 2n ** 63n - 1n]) {
        const read = await rowsReadBy(client, listCategories([{ from, limit }]), 'categories')
        assert.ok(read <= limit + 1, `${read} rows read: ${limit} from ${from}`)
      }
    const names = Array.from({ length: 100 }, (_, i) => String(i * 500))
    assert.ok((await rowsReadBy(client, findCategories(names), 'categories')) <= 100)
  })

  for (const status of STATUSES) {
    test(`F2 a page with status ${status} reads at most limit + 1 rows, with ${statistics} statistics`, async () => {
      for (const listing of listingsOf({ status })) {
        for (const limit of [1, 20, 100]) {
          for (const after of [startOf(listing), MIDDLE]) {
            const read = await rowsReadBy(client, listStatement(listing, [{ after, limit }]))
            assert.ok(read <= limit + 1, `${read} rows read: ${listing.sort} ${listing.view} ${limit} after ${after}`)
          }
        }
      }
    })
  }
}

const PAGES: [name: string, after: bigint][] = [
  ['the first page', 0n],
  ['a page in the middle', MIDDLE],
  ['the last page', BigInt(PETS - RARE)],
]

for (const [page, after] of PAGES) {
  for (const status of STATUSES) {
    for (const limit of [1, 20, 100]) {
      test(`${page} of ${limit} with status ${status} reads at most limit + 1 rows, through an index`, async () => {
        const read = await rowsReadBy(client, listStatement({ ...LISTED, status }, [{ after, limit }]))
        assert.ok(read <= limit + 1, `${read} rows read`)
      })
    }
  }
}

for (const status of STATUSES) {
  test(`thirty pages with status ${status} at once read no more than one after the other`, async () => {
    const pages = Array.from({ length: 30 }, (_, i) => ({ after: BigInt((i * 3 * PETS) / 100), limit: 20 }))
    const read = await rowsReadBy(client, listStatement({ ...LISTED, status }, pages))
    assert.ok(read <= 30 * 21, `${read} rows read`)
  })
}

for (const view of ['basic', 'full'] as const) {
  for (const count of [1, 100, 200]) {
    test(`${count} pets by their ids, ${view}, read as many rows, through an index`, async () => {
      const ids = Array.from({ length: count }, (_, i) => BigInt((i + 1) * 500))
      for (const statement of [findStatement(view, ids), findVersionedStatement(ids)])
        assert.equal(await rowsReadBy(client, statement), count)
    })
  }
}

test('done', async () => client.end())

/** In both directions, with both views. */
function listingsOf(filter: Pick<Listing, 'categoryId' | 'status'>): Listing[] {
  return (['oldest', 'newest'] as const).flatMap((sort) =>
    (['basic', 'full'] as const).map((view) => ({ ...filter, sort, view })),
  )
}

function startOf({ sort }: Listing) {
  return sort === 'newest' ? 2n ** 63n - 1n : 0n
}
