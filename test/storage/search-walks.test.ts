import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchPlace } from '../../src/domain/types/pet.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { openSearch } from '../../src/storage/search/search.ts'
import type { SearchRequest } from '../../src/storage/search/searching.ts'
import { addRange } from '../../src/storage/search/word-ranges.ts'
import { opened } from '../support/cleanup.ts'
import { createDatabase } from '../support/database.ts'

// Which walk a search takes decides what it costs: clients only see it by the order of the pages.
const { url, pool } = await createDatabase()
const search = openSearch(opened.use(new Database(url, () => {})))

/** Pets with this name; each word of it is ASCII. */
async function insert(count: number, name: string, categoryId: number) {
  await pool.query(
    `with new as (
       insert into pets (name, category_id, worded) select $2, $3, true from generate_series(1, $1::int) returning id)
     insert into pet_words select word, id from new, unnest(string_to_array($2, ' ')) as word`,
    [count, name, categoryId],
  )
}

await insert(1_500, 'common popular', 1)
await insert(30, 'common rare', 2)
await insert(20, 'common rare', 3)
await insert(10, 'ant zebra', 4)

/** The walk that the second page continues. */
async function walkOf(terms: string[], categoryId?: bigint) {
  const { next } = await search.find(requestOf(terms, categoryId))
  assert.ok(next, 'there is a second page')
  return next.walk
}

const requestOf = (terms: string[], categoryId?: bigint): SearchRequest => ({
  terms,
  view: 'basic',
  limit: 1,
  categoryId,
})

test('a search goes through the words of its rarest term, whatever its place', async () => {
  assert.equal(await walkOf(['common', 'rare']), 1)
  assert.equal(await walkOf(['rare', 'common']), 0)
  assert.equal(await walkOf(['r', 'c']), 0)
})

test('of terms that are equally rare, as far as they are counted, it takes the longest', async () => {
  assert.equal(await walkOf(['ant', 'zebra']), 1)
  assert.equal(await walkOf(['zebra', 'ant']), 0)
  assert.equal(await walkOf(['common', 'popular']), 1)
  assert.equal(await walkOf(['popular', 'common']), 0)
})

test('it reads the pets of its filter if there are no more of them than of the rarest term, and a thousand at most', async () => {
  assert.equal(await walkOf(['common', 'rare'], 3n), 'filter')
  assert.equal(await walkOf(['zebra'], 4n), 'filter')
  assert.equal(await walkOf(['rare'], 2n), 'filter')
  assert.equal(await walkOf(['common', 'popular'], 1n), 1)
})

test('a page says at once, and only then, that not all pets can be found', async () => {
  const other = opened.use(new Database(url, () => {}))
  const foundPercent = async (request: SearchRequest) => (await search.find(request)).foundPercent
  const requests = [
    requestOf(['rare']),
    requestOf(['common', 'rare']),
    requestOf(['rare'], 2n),
    requestOf(['none'], 3n),
  ]
  for (const request of requests) assert.equal(await foundPercent(request), undefined)
  // As an import in another process does.
  await addRange(other, { first: 1n, last: 780n })
  for (const request of requests) assert.equal(await foundPercent(request), 50)
  await pool.query('delete from word_ranges')
  for (const request of requests) assert.equal(await foundPercent(request), undefined)
})

test('if the names of the filter are too long to be read for one page, it goes through the rarest term', async () => {
  const LONG = 150
  const fillers = Array.from('abcdefg', (letter) => letter.repeat(30)).join(' ')
  await insert(LONG, `gem long ${fillers}`, 5)
  await insert(40, 'gem other', 6)
  await insert(100, 'long other', 6)
  // The filter has 150 pets, `long` 250 entries, `gem` 190.
  assert.equal(await walkOf(['long', 'gem'], 5n), 1)
  assert.equal(await walkOf(['gem', 'long'], 5n), 0)
  const met: number[] = []
  let after: SearchPlace | undefined
  do {
    const page = await search.find({ ...requestOf(['long', 'gem'], 5n), limit: 100, after })
    met.push(...page.pets.map(({ id }) => Number(id)))
    after = page.next
  } while (after)
  assert.equal(met.length, LONG)
  assert.deepEqual(
    met,
    [...new Set(met)].toSorted((a, b) => a - b),
  )
})
