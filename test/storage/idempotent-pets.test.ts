import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPetOnce } from '../../src/domain/pets.ts'
import type { Principal } from '../../src/domain/principal.ts'
import type { NewPet } from '../../src/domain/types/pet.ts'
import type { IdempotentResult } from '../../src/storage/idempotency/inserts.ts'
import { prune } from '../../src/storage/idempotency/pruner.ts'
import { type Idempotent, readKeysStatement } from '../../src/storage/idempotency/stored-keys.ts'
import { OPERATION, openIdempotentPets } from '../../src/storage/pets/idempotent-pets.ts'
import { openPets } from '../../src/storage/pets/pets.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { ValueRejected } from '../../src/storage/postgres/failures.ts'
import { WITHOUT_SEQ_SCAN } from '../../src/storage/postgres/statement.ts'
import { createDatabase } from '../support/database.ts'
import { DatabaseProxy } from '../support/proxy.ts'

const { url, pool } = await createDatabase()

let attempts = 0
const keyedPet = (key: string, name = 'Rex'): Idempotent<NewPet> => ({
  apiKeyId: 'key_1',
  chainId: 'key_1',
  key,
  fingerprints: [Buffer.from(name).toString('hex')],
  attempt: ++attempts,
  input: { name, categoryId: 1n },
})

async function count(where = 'true') {
  const { rows } = await pool.query<{ count: string }>(`select count(*) from idempotency_keys where ${where}`)
  return Number(rows[0]!.count)
}

test('a pet that the table rejects fails alone, and leaves no key behind', async () => {
  await using db = new Database(url, () => {})
  const pets = openIdempotentPets(db)
  // As the domain does it: the transaction of a batch that was rejected may hold its locks a moment longer than its client waits.
  const store = async (item: Idempotent<NewPet>): Promise<IdempotentResult> => {
    const result = await pets.insert(item)
    return result.outcome === 'in progress' ? await store(item) : result
  }
  const results = await Promise.allSettled(
    ['a', 'b', 'too long', 'c'].map((key) => store(keyedPet(key, key === 'too long' ? 'x'.repeat(256) : 'Rex'))),
  )
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  const rejected = results[2] as PromiseRejectedResult
  assert.ok(rejected.reason instanceof ValueRejected)
  assert.equal(await count(), 3)
  assert.equal((await pets.insert(keyedPet('too long'))).outcome, 'created')
})

test('a transaction whose connection breaks between two statements fails, and the next one is well', async () => {
  await using db = new Database(url, () => {})
  const broken = db.transaction(async (transaction) => {
    const [row] = await transaction.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
    await pool.query('select pg_terminate_backend($1)', [row!.pid])
    await transaction.query({ text: 'select 1' })
  })
  await assert.rejects(broken, { name: 'DatabaseUnavailable' })
  assert.deepEqual(await db.transaction((transaction) => transaction.query({ text: 'select 1 as one' })), [{ one: 1 }])
})

test('whoever freezes between two statements loses what it has locked', async () => {
  await using db = new Database(url, () => {})
  const [timeout] = await db.query({ text: 'show idle_in_transaction_session_timeout' })
  assert.deepEqual(timeout, { idle_in_transaction_session_timeout: '5s' })
})

/** Cuts the connection off while the key is being stored, and brings it back before or after that is committed. */
async function createCutOff(key: string, backBeforeCommit: boolean) {
  await using proxy = await DatabaseProxy.start(url)
  await using db = new Database(proxy.url, () => {})
  const context = { pets: openPets(db), idempotentPets: openIdempotentPets(db) }
  const create = () => createPetOnce(context, PRINCIPAL, { name: key, categoryId: 1n }, key)
  await db.query({ text: 'select 1' })
  const blocker = await pool.connect()
  await blocker.query('begin')
  await blocker.query('lock table pets in exclusive mode')
  const created = create()
  while (!(await isStoring()));
  await proxy.takeAway()
  if (backBeforeCommit) {
    await proxy.bringBack()
    while (db.counts.retries.ambiguous === 0) await pool.query('select pg_sleep(0.02)')
  }
  await blocker.query('commit')
  blocker.release()
  while ((await count(`key = '${key}'`)) === 0);
  if (!backBeforeCommit) await proxy.bringBack()
  return { first: await created, again: await create(), retries: db.counts.retries.ambiguous }
}

const PRINCIPAL = { keyId: 'key_1', chainId: 'key_1' } as Principal

async function isStoring() {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%idempotency_keys%'`,
  )
  return rowCount === 1
}

for (const backBeforeCommit of [false, true])
  test(`what a request has stored itself before it was cut off is no replay; back ${backBeforeCommit ? 'before' : 'after'} the commit`, async () => {
    const { first, again, retries } = await createCutOff(`cut off ${backBeforeCommit}`, backBeforeCommit)
    assert.ok(retries > 0)
    assert.deepEqual([first.isReplay, again.isReplay], [false, true])
    assert.equal(again.pet.id, first.pet.id)
    const { rowCount } = await pool.query('select from pets where name = $1', [first.pet.name])
    assert.equal(rowCount, 1)
  })

test('of equal keys in one batch the second is a replay of the first', async () => {
  await using db = new Database(url, () => {})
  const pets = openIdempotentPets(db)
  const results = await Promise.all([keyedPet('twice'), keyedPet('twice')].map((pet) => pets.insert(pet)))
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['created', 'replayed'],
  )
  assert.equal(pets.metrics[0]?.read(), 1)
})

test('keys are looked up one by one, also by a plan that was made while there were none', async () => {
  await pool.query('truncate idempotency_keys')
  await pool.query('vacuum analyze idempotency_keys')
  await using db = new Database(url, () => {})
  const statement = readKeysStatement(OPERATION, [keyedPet('none')])
  const plan = await db.transaction(async (transaction) => {
    await transaction.query(WITHOUT_SEQ_SCAN)
    await transaction.query(statement)
    const values = statement.values.map((value) => `'{${String(value).replace(/^\{|\}$/g, '')}}'`)
    const text = `explain (format json) execute "${statement.name}"(${values.join(', ')})`
    return JSON.stringify(await transaction.query({ text }))
  })
  assert.match(plan, /"Index Name":"idempotency_keys_chain"/)
  assert.doesNotMatch(plan, /Seq Scan/)
})

test('neither replays nor pruning read the table whole, though it was empty when they began', async () => {
  await pool.query('truncate idempotency_keys')
  await pool.query('vacuum analyze idempotency_keys')
  await using db = new Database(url, () => {})
  const pets = openIdempotentPets(db)
  // What the session itself has counted is told only to itself before its transaction ends.
  const scans = () =>
    db.transaction(async (transaction) => {
      const [row] = await transaction.query<{ count: bigint }>({
        text: `select pg_stat_force_next_flush(), seq_scan as count from pg_stat_user_tables where relname = 'idempotency_keys'`,
      })
      return row!.count
    })
  const before = await scans()
  for (let i = 0; i < 3; i++) {
    await pets.insert(keyedPet('again'))
    await prune(db)
  }
  await scans() // flushes what has been counted up to here
  assert.equal(await scans(), before)
})

test('keys older than a day are removed in parts, the others stay', async () => {
  await pool.query('truncate idempotency_keys')
  await pool.query(`
    insert into idempotency_keys (api_key_id, key, fingerprint, pet_id, created_at)
    select 'key_1', i, '', i, now() - (case when i <= 2500 then '25 hours' else '23 hours' end)::interval - i * interval '1 ms'
    from generate_series(1, 2560) as i`)
  await using db = new Database(url, () => {})
  assert.equal(await prune(db), true)
  assert.equal(await count(), 1_560)
  assert.equal(await count("created_at < now() - interval '24 hours'"), 1_500)
  assert.equal(await prune(db), true)
  assert.equal(await prune(db), false)
  assert.equal(await count(), 60)
})

test('a key that is old and not removed yet still stands for its pet', async () => {
  await using db = new Database(url, () => {})
  const pets = openIdempotentPets(db)
  const first = await pets.insert(keyedPet('old'))
  await pool.query(`update idempotency_keys set created_at = now() - interval '25 hours' where key = 'old'`)
  assert.deepEqual(await pets.insert(keyedPet('old')), { ...first, outcome: 'replayed', keyId: 'key_1' })
  await prune(db)
  assert.equal((await pets.insert(keyedPet('old'))).outcome, 'created')
})

test('one process removes keys at a time', async () => {
  await using db = new Database(url, () => {})
  await pool.query(`update idempotency_keys set created_at = now() - interval '25 hours'`)
  const left = await count()
  await db.transaction(async (transaction) => {
    await transaction.query({ text: 'select pg_advisory_xact_lock(7377301116)' })
    assert.equal(await prune(db), false)
    assert.equal(await count(), left)
  })
})
