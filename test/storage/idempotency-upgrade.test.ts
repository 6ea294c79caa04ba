import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { createPetOnce } from '../../src/domain/pets.ts'
import type { Principal } from '../../src/domain/principal.ts'
import { openIdempotentPets } from '../../src/storage/pets/idempotent-pets.ts'
import { openPets } from '../../src/storage/pets/pets.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { migrate } from '../../src/storage/postgres/migrate.ts'
import { WITHOUT_SEQ_SCAN } from '../../src/storage/postgres/statement.ts'
import { createDatabase } from '../support/database.ts'
import { createEarlier, earlierRead, earlierStore } from '../support/earlier-keys.ts'

// A version from before migration 0010 and this one, on one database: as during an upgrade, and in the day after it.

const FIRST = { keyId: 'key_first', chainId: 'key_first' } as Principal
const SUCCESSOR = { keyId: 'key_successor', chainId: 'key_first' } as Principal
const LAST = { keyId: 'key_last', chainId: 'key_first' } as Principal

function versions(url: string) {
  const [earlierDb, db] = [new Database(url, () => {}), new Database(url, () => {})]
  const context = { pets: openPets(db), idempotentPets: openIdempotentPets(db) }
  return {
    db,
    earlier: ({ keyId }: Principal, key: string, name = key) => createEarlier(earlierDb, earlierOf(keyId, key, name)),
    current: (principal: Principal, key: string, name = key) =>
      createPetOnce(context, principal, { name, categoryId: 1n }, key),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([db, earlierDb].map((each) => each[Symbol.asyncDispose]()))
    },
  }
}

function earlierOf(apiKeyId: string, key: string, name = key) {
  // What that version hashed, for a pet without a status.
  return { apiKeyId, key, name, fingerprint: hash('sha256', JSON.stringify([name, '1', null])) }
}

const { url, pool } = await createDatabase()

async function petsNamed(pattern: string) {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int from pets where name like $1', [pattern])
  return rows[0]!.count
}

for (const [who, principal] of [
  ['the first key of a chain', FIRST],
  ['a successor', SUCCESSOR],
] as const) {
  test(`what an earlier version stored for ${who} is replayed, and a different pet is rejected`, async () => {
    await using both = versions(url)
    const id = await both.earlier(principal, `before ${who}`)
    const { pet, isReplay } = await both.current(principal, `before ${who}`)
    assert.deepEqual([pet.id, isReplay], [id, true])
    await assert.rejects(both.current(principal, `before ${who}`, 'Other'), { code: 'idempotency_key_reused' })
  })

  test(`what this version stores for ${who} is replayed by an earlier one`, async () => {
    await using both = versions(url)
    const { pet } = await both.current(principal, `after ${who}`)
    assert.equal(await both.earlier(principal, `after ${who}`), pet.id)
    await assert.rejects(both.earlier(principal, `after ${who}`, 'Other'), /idempotency_key_reused/)
  })

  test(`an earlier version and this one race with the same key of ${who}: one pet, and both return it`, async () => {
    await using both = versions(url)
    for (let round = 0; round < 20; round++) {
      const keys = Array.from({ length: 5 }, (_, i) => `race of ${who} ${round} ${i}`)
      await Promise.all(
        keys.map(async (key, i) => {
          const sent = [() => both.earlier(principal, key), async () => (await both.current(principal, key)).pet.id]
          const ids = await Promise.all((i % 2 ? sent : sent.toReversed()).map((send) => send()))
          assert.equal(ids[0], ids[1], key)
        }),
      )
    }
    assert.equal(await petsNamed(`race of ${who} %`), 100)
  })

  test(`this version waits while an earlier one is storing the same key of ${who}`, async () => {
    await using both = versions(url)
    const client = await pool.connect()
    await client.query('begin')
    await client.query(earlierStore(earlierOf(principal.keyId, `open ${who}`)))
    const waiting = both.current(principal, `open ${who}`)
    while (!(await hasAsked()));
    await client.query('commit')
    client.release()
    assert.equal((await waiting).isReplay, true)
    assert.equal(await petsNamed(`open ${who}`), 1)
  })
}

/** Whether this version has sent its statement: it waits for the row, or has found the advisory lock taken. */
async function hasAsked() {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query like '%chain_id%'`,
  )
  return rowCount !== 0
}

test('a successor finds what an earlier version stored for the first key of its chain', async () => {
  await using both = versions(url)
  const id = await both.earlier(FIRST, 'rotated since')
  for (const principal of [SUCCESSOR, LAST]) {
    const { pet, isReplay } = await both.current(principal, 'rotated since')
    assert.deepEqual([pet.id, isReplay], [id, true])
  }
})

test('where an earlier version stored one key for two keys of a chain, each still gets its own pet', async () => {
  await using both = versions(url)
  const ids = [await both.earlier(FIRST, 'twice', 'one'), await both.earlier(SUCCESSOR, 'twice', 'two')]
  const replays = [await both.current(FIRST, 'twice', 'one'), await both.current(SUCCESSOR, 'twice', 'two')]
  assert.deepEqual(
    replays.map(({ pet, isReplay }) => [pet.id, isReplay]),
    ids.map((id) => [id, true]),
  )
})

test('an earlier version looks each key up by an index', async () => {
  await using both = versions(url)
  await pool.query(`
    insert into idempotency_keys (api_key_id, key, fingerprint, pet_id)
    select 'key_many', 'many ' || i, '', i from generate_series(1, 20000) as i`)
  await pool.query('vacuum analyze idempotency_keys')
  const read = earlierRead(earlierOf('key_many', 'many 7'))
  const plan = await both.db.transaction(async (transaction) => {
    await transaction.query(WITHOUT_SEQ_SCAN)
    return JSON.stringify(
      await transaction.query({ ...read, name: '', text: `explain (analyze, format json) ${read.text}` }),
    )
  })
  assert.match(plan, /"Index Name":"idempotency_keys_chain".*"Index Cond":"\(key = new\.key\)"/)
})

test('a migration under keyed creates fails none, and each key gets one pet', async () => {
  const fresh = await createDatabase({ empty: true })
  const directory = mkdtempSync(join(tmpdir(), 'petstore-migrations-'))
  after(() => rmSync(directory, { recursive: true }))
  cpSync('migrations', directory, { recursive: true, filter: (path) => !/^001[012]/.test(basename(path)) })
  await migrate(fresh.url, { directory })
  await fresh.pool.query(`
    insert into idempotency_keys (api_key_id, key, fingerprint, pet_id, attempt)
    select 'key_first', 'filler ' || i, sha256(i::text::bytea), i, i from generate_series(1, 100000) as i`)

  await using both = versions(fresh.url)
  const stored = new Map<string, bigint>()
  const stopped = new AbortController()
  const clients = [FIRST, FIRST, SUCCESSOR, SUCCESSOR].map(async (principal, client) => {
    for (let i = 0; !stopped.signal.aborted; i++) {
      const key = `client ${client} ${i}`
      const id = await both.earlier(principal, key)
      assert.equal(await both.earlier(principal, key), id)
      stored.set(key, id)
    }
  })
  const applied = await Promise.race([migrate(fresh.url), Promise.all(clients).then(() => [])])
  assert.deepEqual(applied.length, 3)
  const before = stored.size
  while (stored.size < before + 20) await Promise.race([fresh.pool.query('select'), Promise.all(clients)])
  stopped.abort()
  await Promise.all(clients)

  for (const [key, id] of stored) {
    const principal = /^client [01] /.test(key) ? FIRST : SUCCESSOR
    const { pet, isReplay } = await both.current(principal, key)
    assert.deepEqual([pet.id, isReplay], [id, true], key)
  }
  const { rows } = await fresh.pool.query('select count(*)::int as pets from pets')
  assert.deepEqual(rows, [{ pets: stored.size }])
})
