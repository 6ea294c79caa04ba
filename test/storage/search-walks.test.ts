import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchPlace } from '../../src/domain/types/pet.ts'
import { wordsOf } from '../../src/lib/words.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { openSearch } from '../../src/storage/search/search.ts'
import type { SearchRequest } from '../../src/storage/search/searching.ts'
import { addRange } from '../../src/storage/search/word-ranges.ts'
import { opened } from '../support/cleanup.ts'
import { createDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

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

test('a page says at once that not all pets can be found, and soon no longer when all can', async () => {
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
  await until(async () => (await foundPercent(requestOf(['rare']))) === undefined)
  for (const request of requests) assert.equal(await foundPercent(request), undefined)
})

/** The words of such a name are made of 18 times as many characters as it has. */
async function insertLigatures(count: number, length: number, categoryId: number) {
  await pool.query(
    `with new as (
       insert into pets (name, category_id, worded) select $1, $2, true from generate_series(1, $3::int) returning id)
     insert into pet_words select word, id from new, unnest($4::text[]) as word`,
    ['ﷺ'.repeat(length), categoryId, count, wordsOf('ﷺ'.repeat(length))],
  )
}

test('a page reads so many characters of names at most, as they are when their words are made', async () => {
  await insertLigatures(150, 56, 7)
  const page = await search.find({ ...requestOf(['ص', 'common']), limit: 20 })
  assert.deepEqual(page.pets, [])
  assert.equal(page.next?.walk, 0)
  assert.equal(await walkOf(['ص'], 7n), 0)
})

test('while not all pets can be found, only the background reads how many, each second', async () => {
  const statements: string[] = []
  const database = opened.use(new Database(url, () => {}))
  const query: Database['query'] = (statement, deadline) => {
    statements.push(`${statement.name} ${String(statement.values?.at(-1))}`)
    return database.query(statement, deadline)
  }
  const { find } = openSearch({ query })
  await addRange(database, { first: 1n, last: 100n })
  for (let i = 0; i < 3; i++) assert.equal(typeof (await find(requestOf(['rare']))).foundPercent, 'number')
  const entries = 'pets.find-by-name.entries false'
  assert.deepEqual(statements, ['words.left undefined', entries, entries, entries])
  await pool.query('delete from word_ranges')
  await until(async () => (await find(requestOf(['rare']))).foundPercent === undefined)
  assert.equal(statements.at(-1), 'pets.find-by-name.entries true')
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
