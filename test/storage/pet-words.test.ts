import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { rebuildWords } from '../../src/domain/words.ts'
import { WORDS_VERSION } from '../../src/lib/words.ts'
import { openPetChanges } from '../../src/storage/pets/changes.ts'
import { openIdempotentPets } from '../../src/storage/pets/idempotent-pets.ts'
import { openPets } from '../../src/storage/pets/pets.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { addAll, addRange, readLeft } from '../../src/storage/search/word-ranges.ts'
import { openWords } from '../../src/storage/search/words.ts'
import { createDatabase } from '../support/database.ts'
import { compareWords, NOTHING } from '../support/pet-words.ts'
import { throughout, until } from '../support/until.ts'

/** A process, as far as words are concerned. */
function open(url: string) {
  const db = new Database(url, () => {})
  const [pets, keyed, changes] = [openPets(db), openIdempotentPets(db), openPetChanges(db)]
  const words = openWords(db, db.background)
  const put = (key: string, name: string) =>
    keyed.insert({
      apiKeyId: 'key_a',
      chainId: 'key_a',
      key,
      fingerprints: ['00'],
      attempt: 1,
      input: { name, categoryId: 1n },
    })
  return {
    db,
    words,
    add: async (name: string) => (await pets.insert({ name, categoryId: 1n })).id,
    put,
    rename: (id: bigint, name: string) => changes.update({ id, condition: undefined, name }),
    remove: (id: bigint) => changes.delete({ id, condition: undefined }),
    finish: async () => {
      for (let hasMore = true; hasMore; ) {
        const { hasMore: isLeft, failure } = await words.advance()
        assert.equal(failure, undefined)
        hasMore = isLeft
      }
    },
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  }
}

test('a pet has its words as soon as it is stored, with a key or without, and again when it is renamed', async () => {
  const { url, pool } = await createDatabase()
  await using store = open(url)
  const names = ['Big Moe', 'Zoë', 'モモ', '!!!', ' ', `"\\{,}' null`, 'Max', 'Max']
  const ids = await Promise.all(names.map((name) => store.add(name)))
  await Promise.all(names.map((name, i) => store.put(`key ${i}`, name)))
  await store.put('key 0', 'Big Moe')
  assert.deepEqual(await compareWords(pool), NOTHING)

  await Promise.all(ids.map((id, i) => store.rename(id, `${i} Moe`)))
  await store.rename(ids[1]!, 'Zoë Moe')
  await store.rename(ids[1]!, 'Zoë Moe')
  assert.deepEqual((await compareWords(pool)).missing, [])
  await store.remove(ids[0]!)
  await store.finish()
  assert.deepEqual(await compareWords(pool), NOTHING)
  assert.equal((await pool.query('select from stale_names')).rowCount, 0)
})

test('a change that changes no name writes no words', async () => {
  const { url, pool } = await createDatabase()
  await using store = open(url)
  const id = await store.add('Rex')
  await store.rename(id, 'Rex')
  await openPetChanges(store.db).update({ id, condition: undefined, status: 'sold' })
  assert.equal((await pool.query('select from stale_names')).rowCount, 0)
  assert.deepEqual(await compareWords(pool), NOTHING)
})

test('words of a name stay if the pet has it again, and those of a pet that is being changed are left for later', async () => {
  const { url, pool } = await createDatabase()
  await using store = open(url)
  const [back, locked] = [await store.add('Rex'), await store.add('Old')]
  for (const name of ['Max', 'Rex']) await store.rename(back, name)
  await store.rename(locked, 'New')
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select from pets where id = $1 for update', [locked])
  await store.finish()
  assert.deepEqual(await compareWords(pool), { missing: [], stale: [`${locked} old`] })
  await client.query('rollback')
  client.release()
  await store.finish()
  assert.deepEqual(await compareWords(pool), NOTHING)
})

test('pets from before get their words in parts, and what is left is known a second later', async () => {
  const { url, pool } = await createDatabase()
  await using store = open(url)
  await using other = open(url)
  await pool.query(`
    insert into pets (name, category_id, worded) select 'Pet ' || i, 1, true from generate_series(1, 2500) as i`)
  await addRange(store.db, { first: 1n, last: 2_500n })
  assert.deepEqual([await store.words.found(), await other.words.found()], [0, 0])
  assert.equal((await store.words.advance()).hasMore, true)
  assert.equal((await compareWords(pool)).missing.length, 3_000)
  for (const { words } of [store, other]) await until(async () => (await words.found()) === 40)
  await store.rename(2_000n, 'Max')
  await store.remove(2_001n)
  await store.finish()
  assert.deepEqual(await compareWords(pool), NOTHING)
  for (const { words } of [store, other]) await until(async () => (await words.found()) === undefined)
})

test('pets that a version without words has added are counted as not found yet', async () => {
  const { url, pool } = await createDatabase()
  await using store = open(url)
  await pool.query("insert into pets (name, category_id) select 'Pet ' || i, 1 from generate_series(1, 40) as i")
  await pool.query(
    "insert into pets (name, category_id, worded) select 'Pet ' || i, 1, true from generate_series(1, 60) as i",
  )
  assert.equal(await store.words.found(), 60)
})

test('in a sandbox, whose ids begin at 9,000,000,000,000,001, only those that were drawn count as left', async () => {
  const database = await createDatabase()
  await using process = open(database.url)
  await database.pool.query(`select setval('pets_id_seq', 9000000000000000)`)
  const ids = [await process.add('Rex'), await process.add('Momo')]
  assert.equal(ids[0], 9_000_000_000_000_001n)
  await addAll(process.db, WORDS_VERSION)
  assert.deepEqual(await readLeft(process.db), { left: 2, last: 2 })
  await process.finish()
  assert.deepEqual(await readLeft(process.db), { left: 0, last: 2 })
})

test('of two processes one at a time makes words, and another version of the words has all made again', async () => {
  const { url, pool } = await createDatabase()
  await using one = open(url)
  await using two = open(url)
  await one.add('Rex')
  await pool.query('delete from words_versions; delete from pet_words')
  await Promise.all([one.finish(), two.finish()])
  assert.deepEqual(await compareWords(pool), NOTHING)
  assert.equal((await pool.query('select from words_versions')).rowCount, 1)
  assert.deepEqual(await two.words.advance(), { hasMore: false, failure: undefined })
})

test('the range with the fewest pets left comes first, so that a small import does not wait for a large one', async () => {
  const { url, pool } = await createDatabase()
  await using store = open(url)
  await pool.query(`
    insert into pets (name, category_id, worded) select 'Pet ' || i, 1, true from generate_series(1, 5020) as i`)
  await addRange(store.db, { first: 1n, last: 5_000n })
  await addRange(store.db, { first: 5_001n, last: 5_020n })
  await store.words.advance()
  assert.deepEqual(await rangesOf(pool), ['0 to 5000'])
  await addRange(store.db, { first: 5_001n, last: 5_010n })
  await store.words.advance()
  assert.deepEqual(await rangesOf(pool), ['0 to 5000'])
  await store.finish()
  assert.deepEqual(await compareWords(pool), NOTHING)
})

async function rangesOf(pool: pg.Pool) {
  const { rows } = await pool.query<{ range: string }>(
    `select reached || ' to ' || last_id as range from word_ranges order by id`,
  )
  return rows.map(({ range }) => range)
}

test('a part that fails does not keep the others from being done', async () => {
  const { url, pool } = await createDatabase()
  await using store = open(url)
  const id = await store.add('Rex')
  await store.rename(id, 'Max')
  await pool.query(`
    create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create trigger fail before delete on stale_names execute function fail();
    insert into pets (name, category_id, worded) select 'Pet ' || i, 1, i > 10 from generate_series(1, 2500) as i;
    insert into word_ranges (last_id, reached) select max(id), 0 from pets`)
  let rounds = 0
  for (let hasMore = true; hasMore; rounds++) {
    const round = await store.words.advance()
    assert.ok(round.failure instanceof Error)
    hasMore = round.hasMore
  }
  assert.ok(rounds < 10)
  assert.deepEqual(await compareWords(pool), { missing: [], stale: [`${id} rex`] })
  assert.equal(await store.words.found(), undefined)
  await pool.query('drop trigger fail on stale_names')
  await store.finish()
  assert.deepEqual(await compareWords(pool), NOTHING)
})

test('a migration has noted the version of the words, so that what earlier processes write is known', async () => {
  const { pool } = await createDatabase()
  const { rows } = await pool.query('select version from words_versions order by version desc limit 1')
  assert.deepEqual(rows, [{ version: WORDS_VERSION }])
})

const LATER = WORDS_VERSION + 1

test('a process leaves the words of a later version to it, until search rebuild goes back to its own', async () => {
  const { url, pool } = await createDatabase()
  await using store = open(url)
  const id = await store.add('Rex')
  await store.rename(id, 'Max')
  await pool.query(`
    insert into pets (name, category_id) values ('Moe', 1);
    insert into word_ranges (last_id, reached) values (2, 0)`)
  await pool.query('insert into words_versions values ($1)', [LATER])
  assert.deepEqual(await store.words.advance(), { hasMore: false, failure: undefined })
  assert.deepEqual(await compareWords(pool), { missing: ['2 moe'], stale: ['1 rex'] })
  assert.deepEqual(await rangesOf(pool), ['0 to 2'])

  await rebuildWords({ db: store.db }, () => {}, new AbortController().signal)
  await store.finish()
  assert.deepEqual(await compareWords(pool), NOTHING)
  // So the later version makes all words again when it is back.
  assert.deepEqual((await pool.query('select version from words_versions')).rows, [{ version: WORDS_VERSION }])
})

test('a pet that a version with other words has renamed gets the words of this one', async () => {
  const { url, pool } = await createDatabase()
  await using store = open(url)
  const id = await store.add('Rex')
  await store.rename(id, 'Big Max')
  await pool.query(`update pet_words set word = 'of-other-rules' where word = 'max'`)
  await store.finish()
  assert.deepEqual(await compareWords(pool), { missing: [], stale: [`${id} of-other-rules`] })
})

const NAMES = ['Rex', 'Max', 'Big Moe', 'Moe', 'Zoë', 'モモちゃん', 'C++', '🐢 Shelly', '!!!', 'Ёлка', 'a b c d e f']
const CHANGES = 600

test('no word is missing, and none is left over, after changes while connections are ended all the time', async () => {
  const { url, name: database, pool } = await createDatabase()
  await using one = open(url)
  await using two = open(url)
  const ids: bigint[] = []
  let failed = 0
  const done = new AbortController()
  const any = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)]!
  const change = async (process: typeof one) => {
    const roll = Math.random()
    if (roll < 0.3 || ids.length < 20) ids.push(await process.add(any(NAMES)))
    else if (roll < 0.4) await process.put(String(Math.floor(Math.random() * 50)), any(NAMES))
    else if (roll < 0.9) await process.rename(any(ids), any(NAMES))
    else await process.remove(any(ids))
  }
  const ignore = () => void failed++
  const writers = [one, two, one, two].map(async (process) => {
    for (let i = 0; i < CHANGES / 4; i++) await change(process).catch(ignore)
  })
  const background = [one, two].map(async ({ words }) => {
    while (!done.signal.aborted) if ((await words.advance()).failure !== undefined) ignore()
  })
  const killer = (async () => {
    while (!done.signal.aborted) {
      await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = $1 and pid <> pg_backend_pid() and application_name is not null and random() < 0.3
           and backend_type = 'client backend' and query !~ 'pg_terminate'`,
        [database],
      )
      await pool.query(`insert into word_ranges (last_id, reached) select max(id), 0 from pets having max(id) > 0`)
      await throughout(60, () => true)
    }
  })()
  await Promise.all(writers)
  done.abort()
  await Promise.all([...background, killer])
  assert.ok(failed > 0)
  await one.finish()
  assert.deepEqual(await compareWords(pool), NOTHING)
})
