import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PetStatus, SearchPlace } from '../../src/domain/types/pet.ts'
import { matchOf, wordsOf } from '../../src/lib/words.ts'
import { openPetChanges } from '../../src/storage/pets/changes.ts'
import { openPets } from '../../src/storage/pets/pets.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { openSearch } from '../../src/storage/search/search.ts'
import type { SearchRequest } from '../../src/storage/search/searching.ts'
import { opened } from '../support/cleanup.ts'
import { createDatabase } from '../support/database.ts'
import { LONG } from '../support/long.ts'
import { oneOf, randomName, randomOf } from '../support/random-names.ts'

// The search compared with a model in memory: names of all scripts, by beginnings of their words, while other pets come, change their
// names and go. `LONG_TESTS=1 npm test -- test/storage/search.test.ts` has a million names, and as many
// searches as fit into some minutes, up to a million; `SEED` repeats the names and searches of a run.
const PETS = LONG ? 1_000_000 : 4_000
const SEARCHES = LONG ? 1_000_000 : 2_000
const SEED = Number(process.env['SEED'] ?? Date.now() % 1e9)
const MAX_MS = LONG ? 300_000 : 60_000
const AT_ONCE = 20
const RESTLESS = 50
const MAX_PAGES = 30
// A model of more would take seconds, in which no search is read.
const MAX_MODELLED = 20_000
const STATUSES = [undefined, 'available', 'pending', 'sold'] as const
const CATEGORIES = 5

const { url, pool } = await createDatabase()
const db = opened.use(new Database(url, () => {}))
const search = openSearch(db)
const pets = openPets(db)
const changes = openPetChanges(db)

interface SteadyPet {
  name: string
  categoryId: bigint
  status: PetStatus | undefined
}

interface Entry {
  key: string
  id: number
}

const random = randomOf(SEED)
// By their ids, from 1.
const steady: SteadyPet[] = Array.from({ length: PETS }, () => ({
  name: randomName(random),
  // One category has few.
  categoryId: BigInt(Math.floor(CATEGORIES * random() ** 0.2)),
  status: oneOf(STATUSES, random),
}))
const entries = steady
  .flatMap(({ name }, i) => wordsOf(name).map((word): Entry => ({ key: inOrder(word), id: i + 1 })))
  .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id - b.id))

test(`seed ${SEED}: searches of ${PETS} names find what they must, each once, in order, amid changes`, {
  timeout: LONG ? 1_200_000 : 120_000,
}, async (t) => {
  await load()
  const restless = changeOthers()
  const end = performance.now() + MAX_MS
  let begun = 0
  let found = 0
  const work = async () => {
    while (begun < SEARCHES && performance.now() < end) {
      begun++
      found += await compare(randomRequest())
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    await restless.stop()
  }
  t.diagnostic(`${begun} searches, ${found} pets found, ${restless.changes} changes`)
  assert.ok(
    begun > 1_000 && found > begun && restless.changes > 100,
    `${found} pets found, ${restless.changes} changes`,
  )
})

/** One to three beginnings of words of one pet, or of several; with or without a filter. */
function randomRequest(): SearchRequest {
  const { name } = oneOf(steady, random)
  const words = wordsOf(random() < 0.95 ? name : `${name} ${oneOf(steady, random).name}`)
  const count = 1 + Math.floor(3 * random() ** 3)
  const terms = Array.from({ length: count }, () => {
    const letters = Array.from(oneOf(words, random))
    return letters.slice(0, 1 + Math.floor(letters.length * random() ** 0.5)).join('')
  })
  return {
    terms: [...new Set(terms)],
    view: random() < 0.5 ? 'basic' : 'full',
    limit: 1 + Math.floor(100 * random()),
    status: random() < 0.2 ? oneOf(STATUSES, random) : undefined,
    categoryId: random() < 0.2 ? BigInt(Math.floor(CATEGORIES * random())) : undefined,
  }
}

/** Walks as far as a client would. Returns how many pets it has found. */
async function compare(request: SearchRequest) {
  const { terms, status, categoryId } = request
  const met: number[] = []
  let after: SearchPlace | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { pets: shown, next } = await search.find({ ...request, after })
    assert.ok(shown.length <= request.limit)
    for (const pet of shown) {
      assert.ok(matchOf(wordsOf(pet.name), terms, terms[0]!) !== undefined, `${pet.name} was found by ${terms.join()}`)
      assert.ok(status === undefined || pet.status === status)
      assert.ok(categoryId === undefined || String(pet.categoryId) === String(categoryId))
      if (Number(pet.id) <= PETS) met.push(Number(pet.id))
    }
    after = next
    if (!next) break
  }
  assert.equal(new Set(met).size, met.length, 'no pet twice')
  const matching = modelled(request)
  if (!matching) return met.length
  // The order is that of one of the terms, which the service chooses. Of a walk that was not followed to its end, the first are known.
  const expected = terms.map((term) => ordered(matching, term).slice(0, after ? met.length : undefined))
  const description = `seed ${SEED}: ${JSON.stringify({ ...request, categoryId: String(categoryId) })}`
  assert.ok(
    expected.some((ids) => ids.join() === met.join()),
    `${description} found ${met.join()}, not ${expected.map(String).join(' or ')}`,
  )
  return met.length
}

/** The pets that a search must find; undefined if each of its terms begins too many words. */
function modelled({ terms, status, categoryId }: SearchRequest) {
  const ranges = terms.map((term) => {
    const start = inOrder(term)
    return { start: firstAt(start), end: firstAt(`${start}${'\uffff'.repeat(33)}`) }
  })
  const { start, end } = ranges.reduce((a, b) => (b.end - b.start < a.end - a.start ? b : a))
  if (end - start > MAX_MODELLED) return undefined
  const ids = new Set(entries.slice(start, end).map(({ id }) => id))
  return Array.from(ids, (id) => ({ id, words: wordsOf(steady[id - 1]!.name) })).filter(({ id, words }) => {
    const pet = steady[id - 1]!
    if (status !== undefined && pet.status !== status) return false
    if (categoryId !== undefined && pet.categoryId !== categoryId) return false
    return terms.every((term) => words.some((word) => word.startsWith(term)))
  })
}

/** By the first of the words that begin with the term, then by id. */
function ordered(found: { id: number; words: string[] }[], term: string) {
  const places = found.map(({ id, words }) => {
    const [key = ''] = words
      .filter((word) => word.startsWith(term))
      .map(inOrder)
      .toSorted()
    return { id, key }
  })
  return places.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id - b.id)).map(({ id }) => id)
}

/** The place of the first entry that is not before this key. */
function firstAt(key: string) {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.key < key) low = middle + 1
    else high = middle
  }
  return low
}

/** Text that JavaScript orders by code points: it has surrogates below U+E000. */
function inOrder(word: string) {
  if (!/[\ud800-\uffff]/.test(word)) return word
  const units = Array.from({ length: word.length }, (_, i) => word.charCodeAt(i))
  return String.fromCharCode(
    ...units.map((unit) => (unit < 0xd8_00 ? unit : unit < 0xe0_00 ? unit + 0x20_00 : unit - 0x8_00)),
  )
}

async function load() {
  await pool.query('alter table pet_words drop constraint pet_words_pkey')
  const PART = 10_000
  for (let from = 0; from < PETS; from += PART) {
    const part = steady.slice(from, from + PART)
    await pool.query(
      `insert into pets (id, name, category_id, status)
       select $4::bigint + place, name, category_id, status
       from unnest($1::text[], $2::bigint[], $3::text[]) with ordinality as new (name, category_id, status, place)`,
      [
        part.map(({ name }) => name),
        part.map(({ categoryId }) => String(categoryId)),
        part.map(({ status }) => status),
        from,
      ],
    )
    const words = part.flatMap(({ name }, i) => wordsOf(name).map((word) => ({ word, id: from + i + 1 })))
    await pool.query('insert into pet_words (word, pet_id) select * from unnest($1::text[], $2::bigint[])', [
      words.map(({ word }) => word),
      words.map(({ id }) => id),
    ])
  }
  await pool.query('alter table pet_words add primary key (word, pet_id)')
  await pool.query(`select setval('pets_id_seq', $1)`, [PETS])
  await pool.query('vacuum analyze pets, pet_words')
}

/** Other pets come, change their names and go, until told to stop. No job removes the words that they no longer have. */
function changeOthers() {
  const stopping = new AbortController()
  let made = 0
  const changing = (async () => {
    const ids: bigint[] = []
    while (!stopping.signal.aborted) {
      const own = { keyId: 'key_000000000000' }
      const name = randomName(random)
      if (ids.length < RESTLESS) ids.push((await pets.insert({ name, categoryId: 1n, ...own })).id)
      else if (random() < 0.3) await changes.delete({ id: ids.shift()!, condition: undefined, ...own })
      else await changes.update({ id: oneOf(ids, random), condition: undefined, name, ...own })
      made++
    }
  })()
  return {
    get changes() {
      return made
    },
    stop: () => {
      stopping.abort()
      return changing
    },
  }
}
