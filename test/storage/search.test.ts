import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pet, PetRecord, PetStatus, SearchPlace } from '../../src/domain/types/pet.ts'
import { matchOf, termsOf, wordsOf } from '../../src/lib/words.ts'
import { openPetChanges } from '../../src/storage/pets/changes.ts'
import { openPets } from '../../src/storage/pets/pets.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { OutcomeUnknown } from '../../src/storage/postgres/failures.ts'
import { openSearch } from '../../src/storage/search/search.ts'
import type { SearchRequest } from '../../src/storage/search/searching.ts'
import { opened } from '../support/cleanup.ts'
import { createDatabase } from '../support/database.ts'
import { LONG } from '../support/long.ts'
import { oneOf, randomName, randomOf } from '../support/random-names.ts'

// The search compared with a model in memory: names of all scripts, by beginnings of their words, while other pets come, change their
// names and go. `LONG_TESTS=1 npm test -- test/storage/search.test.ts` has a million names and 100,000 searches; `SEARCHES` is another
// number of them, and `SEED` repeats the names and searches of a run.
const PETS = LONG ? 1_000_000 : 4_000
const SEARCHES = Number(process.env['SEARCHES'] ?? (LONG ? 100_000 : 2_000))
const SEED = Number(process.env['SEED'] ?? Date.now() % 1e9)
const MIN_PER_SECOND = 50
const AT_ONCE = 20
const RESTLESS = 50
// Most clients look at a page or two; some go on to the end.
const [USUAL_PAGES, MAX_PAGES, LONG_WALKS] = [2, 30, 0.1]
/** Entries that a page costs at most. */
const MAX_ENTRIES = 1_000
// Of more, only as many are looked at as the walk can have read. Comparing takes the time in which the service would read names.
const MAX_MODELLED = 2_000
const STATUSES = [undefined, 'available', 'pending', 'sold'] as const
const CATEGORIES = 5

const { url, pool } = await createDatabase()
const db = opened.use(new Database(url, () => {}))
const search = openSearch(db)
const pets = openPets(db)
const changes = openPetChanges(db)

interface SteadyPet {
  name: string
  words: string[]
  categoryId: bigint
  status: PetStatus | undefined
}

interface Entry {
  key: string
  word: string
  id: number
}

const random = randomOf(SEED)
// By their ids, from 1.
const steady: SteadyPet[] = Array.from({ length: PETS }, () => {
  const name = randomName(random)
  return {
    name,
    words: wordsOf(name),
    // One category has few.
    categoryId: BigInt(Math.floor(CATEGORIES * random() ** 0.2)),
    status: oneOf(STATUSES, random),
  }
})
const entries = steady
  .flatMap(({ words }, i) => words.map((word): Entry => ({ key: inOrder(word), word, id: i + 1 })))
  .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id - b.id))
const idsOfCategory = Map.groupBy(
  steady.keys().map((i) => i + 1),
  (id) => petOf(id).categoryId,
)

test(`seed ${SEED}: ${SEARCHES} searches of ${PETS} names find what they must, each once, in order, amid changes`, {
  timeout: 120_000 + PETS + (SEARCHES / MIN_PER_SECOND) * 1_000,
}, async (t) => {
  await load()
  const restless = changeOthers()
  let [begun, compared, found] = [0, 0, 0]
  const began = performance.now()
  const work = async () => {
    while (begun < SEARCHES) {
      begun++
      const met = await compare(randomRequest())
      found += met
      compared++
      if (compared % 10_000 === 0) console.log(`${compared} searches compared`)
    }
  }
  let present: Map<string, string>
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    present = await restless.stop()
  }
  const perSecond = Math.round((compared / (performance.now() - began)) * 1_000)
  t.diagnostic(
    `${compared} searches compared, ${perSecond} a second: ${found} pets found; ${restless.changes} changes of others`,
  )
  assert.equal(compared, SEARCHES)
  assert.ok(found > compared && restless.changes > 100, `${found} pets found, ${restless.changes} changes`)
  await assertFound(present, restless.inDoubt)
})

/** Pets that have changed are found by the names that they have at the end, and those that are gone by none. */
async function assertFound(present: Map<string, string>, inDoubt: number) {
  assert.ok(present.size > RESTLESS / 2)
  for (const [id, name] of present) {
    const words = wordsOf(name)
    // Of a long name only the first words are kept.
    const terms = termsOf(name).filter((term) => words.some((word) => word.startsWith(term)))
    const shown = await walkTo(id, terms)
    assert.equal(shown.filter((pet) => String(pet.id) === id).length, 1, `${id} is found once by ${name}`)
    const gone = shown.filter((pet) => Number(pet.id) > PETS && !present.has(String(pet.id)))
    assert.ok(gone.length <= inDoubt, `${gone.map((pet) => pet.id).join()} are gone`)
  }
}

/** What a walk meets up to a pet, or to its end. A page may be short: it costs at most so many entries. */
async function walkTo(id: string, terms: string[]) {
  const met: (Pet | PetRecord)[] = []
  let after: SearchPlace | undefined
  do {
    const { pets: shown, next } = await search.find({ terms, view: 'basic', limit: 100, after })
    met.push(...shown)
    after = next
  } while (after && !met.some((pet) => String(pet.id) === id))
  return met
}

/** One to three beginnings of words of one pet, or of several; with or without a filter. */
function randomRequest(): SearchRequest {
  const words = oneOf(steady, random).words.concat(random() < 0.95 ? [] : oneOf(steady, random).words)
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
  const mostPages = random() < LONG_WALKS ? MAX_PAGES : USUAL_PAGES
  for (let page = 0; page < mostPages; page++) {
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
  await ownTurn()
  // The order is that of one of the terms, which the service chooses. Of a walk that was not followed to its end, the first are known.
  const expected = expectations(request, after ? met.length : Number.POSITIVE_INFINITY)
  const description = `seed ${SEED}: ${JSON.stringify({ ...request, categoryId: String(categoryId) })}`
  assert.ok(
    expected.some((ids) => ids.join() === met.join()),
    `${description} found ${met.join()}, not ${expected.map(String).join(' or ')}`,
  )
  return met.length
}

let turns: Promise<unknown> = Promise.resolve()

/** One turn of the event loop for each: twenty expectations in a row would keep the results of others from being read in time. */
function ownTurn() {
  turns = turns.then(() => nextTurn())
  return turns
}

/** What a walk may meet, in the order of each of its terms; at most the first so many. */
function expectations(request: SearchRequest, most: number): number[][] {
  const { terms, categoryId } = request
  const ranges = terms.map(rangeOf)
  const { start, end } = ranges.reduce((a, b) => (b.end - b.start < a.end - a.start ? b : a))
  const ofCategory = categoryId === undefined ? undefined : (idsOfCategory.get(categoryId) ?? [])
  const few =
    end - start <= MAX_MODELLED
      ? entries.slice(start, end).map(({ id }) => id)
      : ofCategory && ofCategory.length <= MAX_MODELLED && ofCategory
  if (few) {
    const matching = [...new Set(few)].filter((id) => matches(id, request))
    return terms.map((term) => ordered(matching, term).slice(0, most))
  }
  // A page costs so many entries, or is full; a walk to the end has read all of them.
  return ranges.map((range, i) => firstOf(request, terms[i]!, range, most))
}

function firstOf(request: SearchRequest, term: string, { start, end }: { start: number; end: number }, most: number) {
  const found: number[] = []
  const last = most === Number.POSITIVE_INFINITY ? end : Math.min(end, start + MAX_PAGES * MAX_ENTRIES)
  for (let i = start; i < last && found.length < most; i++) {
    const { word, id } = entries[i]!
    if (matches(id, request) && firstWord(petOf(id).words, term) === word) found.push(id)
  }
  return found
}

function matches(id: number, { terms, status, categoryId }: SearchRequest) {
  const pet = petOf(id)
  if (status !== undefined && pet.status !== status) return false
  if (categoryId !== undefined && pet.categoryId !== categoryId) return false
  return terms.every((term) => pet.words.some((word) => word.startsWith(term)))
}

function petOf(id: number) {
  return steady[id - 1]!
}

/** The entries whose words begin with this. */
function rangeOf(term: string) {
  const start = inOrder(term)
  return { start: firstAt(start), end: firstAt(`${start}${'\uffff'.repeat(33)}`) }
}

/** By the first of the words that begin with the term, then by id. */
function ordered(ids: number[], term: string) {
  const places = ids.map((id) => ({ id, key: inOrder(firstWord(petOf(id).words, term)) }))
  return places.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id - b.id)).map(({ id }) => id)
}

function firstWord(words: string[], term: string) {
  const beginning = words.filter((word) => word.startsWith(term))
  return beginning.length > 1
    ? beginning.toSorted((a, b) => (inOrder(a) < inOrder(b) ? -1 : 1))[0]!
    : (beginning[0] ?? '')
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
    const words = part.flatMap((pet, i) => pet.words.map((word) => ({ word, id: from + i + 1 })))
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
  const present = new Map<string, string>()
  let [made, inDoubt] = [0, 0]
  const changing = (async () => {
    while (!stopping.signal.aborted) {
      const id = present.size < RESTLESS ? undefined : oneOf([...present.keys()], random)
      // On a busy machine a statement may take too long: that pet is left alone.
      const changed = await changeOne(id, randomName(random)).catch((error: unknown) => {
        assert.ok(error instanceof OutcomeUnknown, String(error))
        inDoubt++
        return undefined
      })
      if (id !== undefined) present.delete(id)
      if (changed) present.set(...changed)
      made++
    }
    return present
  })()
  return {
    get inDoubt() {
      return inDoubt
    },
    get changes() {
      return made
    },
    /** Returns the names of those that are left. */
    stop: () => {
      stopping.abort()
      return changing
    },
  }
}

/** Adds a pet, or changes the name of this one, or deletes it. Returns its id and the name that it has then, if it has one. */
async function changeOne(id: string | undefined, name: string): Promise<[id: string, name: string] | undefined> {
  const own = { keyId: 'key_000000000000' }
  if (id === undefined) return [String((await pets.insert({ name, categoryId: 1n, ...own })).id), name]
  if (random() < 0.3) {
    await changes.delete({ id: BigInt(id), condition: undefined, ...own })
    return undefined
  }
  await changes.update({ id: BigInt(id), condition: undefined, name, ...own })
  return [id, name]
}
