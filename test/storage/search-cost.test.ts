import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { connectionSettings } from '../../src/storage/postgres/connection.ts'
import {
  entriesStatement,
  type Filter,
  filteredStatement,
  MAX_ENTRIES,
  MAX_FILTERED,
  type Range,
  sizesStatement,
} from '../../src/storage/search/statements.ts'
import { createDatabase } from '../support/database.ts'
import { LONG } from '../support/long.ts'
import { readingOf } from '../support/rows-read.ts'

const PETS = LONG ? 1_000_000 : 100_000
// Two lookups in an index of this depth and a row each, and the pages that a statement looks at whatever it reads.
const MAX_BUFFERS_PER_ENTRY = 5
const MAX_FIXED_BUFFERS = 40
const MAX_SEARCHES = 10

const { url, pool } = await createDatabase()
const client = new pg.Client(connectionSettings(url))

// Of every hundred pets one is called max. The last are sold, and of a category of their own: a plan that filters would read all.
const FEW = 5
const insert = `
  with new as (
    insert into pets (name, category_id, worded, status)
    select 'pet' || i || case when i % 100 = 0 then ' max' else ' m' || i % 1000 end, case when i > ${PETS - FEW} then 5000000 else i % 3 end, true,
           case when i > ${PETS - FEW} then 'sold' when i % 2 = 0 then 'available' end
    from generate_series($1::int, $2::int) as i
    returning id, name)
  insert into pet_words (word, pet_id) select unnest(string_to_array(name, ' ')), id from new`
// Until they are made again, the statistics are those of the first pets.
for (const table of ['pets', 'pet_words']) await pool.query(`alter table ${table} set (autovacuum_enabled = off)`)
await pool.query(insert, [1, 1_000])
await pool.query('analyze pets, pet_words')
await pool.query(insert, [1_001, PETS])
await client.connect()

const TERMS = ['p', 'm', 'max', 'pet', `pet${PETS - 1}`, 'nobody']
const PLACES: Range['after'][] = [
  { word: '', id: 0n },
  { word: 'max', id: BigInt(PETS / 2) },
  { word: `pet${PETS / 2}`, id: 0n },
]
const FILTERS: Filter[] = [
  {},
  { status: 'available' },
  { status: 'sold' },
  { categoryId: 1n },
  { categoryId: 5_000_000n },
  { categoryId: 5_000_000n, status: 'sold' },
  { categoryId: 1n, status: 'available' },
]

for (const statistics of ['stale', 'fresh']) {
  if (statistics === 'fresh')
    test('statistics are made', async () => void (await pool.query('vacuum analyze pets, pet_words')))

  for (const count of [40, MAX_ENTRIES])
    test(`a round of ${count} reads so many entries, and a pet for each, with ${statistics} statistics`, async () => {
      for (const term of TERMS)
        for (const after of PLACES)
          for (const filter of FILTERS) await assertRound([{ term, after: later(term, after), count, ...filter }])
    })

  test(`${MAX_SEARCHES} rounds at once read no more than one after the other, with ${statistics} statistics`, async () => {
    const ranges = Array.from({ length: MAX_SEARCHES }, (_, i): Range => {
      const term = TERMS[i % TERMS.length]!
      return { term, after: later(term, PLACES[i % PLACES.length]!), count: 160, ...FILTERS[i % FILTERS.length] }
    })
    await assertRound(ranges)
  })

  test(`the entries of a term are counted up to a thousand, with ${statistics} statistics`, async () => {
    for (const filter of FILTERS) {
      const statement = sizesStatement([{ terms: TERMS, ...filter }], true)
      const { buffers, rows } = await readingOf(client, statement, ['pet_words', 'pets'])
      const [entries = 0, pets = 0] = rows
      assert.ok(entries <= TERMS.length * MAX_ENTRIES && pets <= MAX_FILTERED + 1, `${entries}, ${pets} rows read`)
      assert.ok(buffers <= 2 * (entries + pets) + TERMS.length * MAX_FIXED_BUFFERS, `${buffers} for ${rows.join()}`)
    }
  })

  test(`of a category or a status, a thousand pets are read at most, with ${statistics} statistics`, async () => {
    for (const filter of FILTERS) {
      const { buffers, rows } = await readingOf(client, filteredStatement([filter], true), ['pets'])
      const [pets = 0] = rows
      assert.ok(pets <= MAX_FILTERED + 1, `${pets} rows read`)
      assert.ok(buffers <= 2 * pets + MAX_FIXED_BUFFERS, `${buffers} for ${pets}`)
    }
  })
}

test('done', async () => client.end())

async function assertRound(ranges: Range[]) {
  const { buffers, rows } = await readingOf(client, entriesStatement(ranges, true), ['pet_words', 'pets'])
  const [entries = 0, pets = 0] = rows
  const most = ranges.reduce((sum, { count }) => sum + count, 0)
  // PostgreSQL 15 reports an average of the ranges, rounded.
  assert.ok(
    entries <= most && pets <= entries + ranges.length / 2,
    `${entries} entries and ${pets} pets read, of ${most}`,
  )
  const mostBuffers = MAX_BUFFERS_PER_ENTRY * entries + ranges.length * MAX_FIXED_BUFFERS
  assert.ok(buffers <= mostBuffers, `${buffers} buffers for ${entries} entries`)
}

/** A walk begins at its term, or after it. */
function later(term: string, after: Range['after']) {
  return after.word.startsWith(term) ? after : { word: term, id: 0n }
}
