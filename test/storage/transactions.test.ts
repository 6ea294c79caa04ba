import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database } from '../../src/storage/postgres/database.ts'
import { OutcomeUnknown } from '../../src/storage/postgres/failures.ts'
import type { Transaction } from '../../src/storage/postgres/statement.ts'
import { createDatabase } from '../support/database.ts'
import { DatabaseProxy } from '../support/proxy.ts'

const { url, name, pool } = await createDatabase()

class Rejection extends Error {}

async function backendOf(transaction: Transaction) {
  const [row] = await transaction.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
  return row!.pid
}

async function addPet(transaction: Transaction) {
  await transaction.query({ text: `insert into pets (name, category_id) values ('Rex', 1)` })
}

async function countPets() {
  const { rows } = await pool.query<{ count: string }>('select count(*) from pets')
  return Number(rows[0]!.count)
}

test('transactions that are rejected roll back, and keep their connection', async () => {
  await using db = new Database(url, () => assert.fail('no connection was lost'))
  const backends = new Set<number>()
  for (const kind of ['transaction', 'transaction', 'transactionOnce', 'transactionOnce'] as const) {
    const rejected = db[kind](async (transaction) => {
      backends.add(await backendOf(transaction))
      await addPet(transaction)
      throw new Rejection()
    })
    await assert.rejects(rejected, Rejection)
  }
  assert.equal(backends.size, 1)
  assert.equal(await countPets(), 0)
  await db.transaction(addPet)
  assert.equal(await countPets(), 1)
})

test('a transaction that is rejected when its connection is gone is tried on another one', async () => {
  await using db = new Database(url, () => {})
  const backends: number[] = []
  const rejected = db.transaction(async (transaction) => {
    const pid = await backendOf(transaction)
    if (backends.push(pid) === 1) {
      await pool.query('select pg_terminate_backend($1, 5000)', [pid])
    }
    throw new Rejection()
  })
  await assert.rejects(rejected, Rejection)
  assert.equal(new Set(backends).size, 2)
})

test('a rejection does not hide a warning: that connection is not used again', async () => {
  await using db = new Database(url, () => {})
  const pids: number[] = []
  const rejected = db.transaction(async (transaction) => {
    pids.push(await backendOf(transaction))
    await transaction.query({ text: `do $$ begin raise warning 'doubt' using errcode = '01000'; end $$` })
    throw new Rejection()
  })
  await assert.rejects(rejected, Rejection)
  pids.push(await db.transaction(backendOf))
  assert.equal(new Set(pids).size, 2)
})

/** Makes the commit of pets of this name wait for the advisory lock 1, and so last as long as a test wants. */
await pool.query(`
  create function wait_at_commit() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(1); return null; end $$;
  create constraint trigger wait_at_commit after insert on pets deferrable initially deferred
    for each row when (new.name = 'slow to commit') execute function wait_at_commit()`)

async function petsCalled(petName: string) {
  const { rows } = await pool.query<{ count: string }>('select count(*) from pets where name = $1', [petName])
  return Number(rows[0]!.count)
}

/** The backend of the service that is committing just now. */
async function committing() {
  for (;;) {
    const { rows } = await pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = $1 and state = 'active' and query = 'commit'
       and wait_event_type = 'Lock'`,
      [name],
    )
    if (rows[0]) return rows[0].pid
  }
}

test('a transactionOnce whose connection is lost at its commit is not repeated, whatever became of it', async () => {
  await using resources = new AsyncDisposableStack()
  const holder = await pool.connect()
  resources.defer(() => holder.release(true))
  for (const fault of ['backend killed', 'network lost']) {
    await using proxy = await DatabaseProxy.start(url)
    await using db = new Database(proxy.url, () => {})
    await holder.query('select pg_advisory_lock(1)')
    let runs = 0
    const unknown = assert.rejects(
      db.transactionOnce(async (transaction) => {
        runs++
        await transaction.query({ text: `insert into pets (name, category_id) values ('slow to commit', 1)` })
      }),
      OutcomeUnknown,
    )
    const pid = await committing()
    if (fault === 'backend killed') await pool.query('select pg_terminate_backend($1, 5000)', [pid])
    else {
      await proxy.takeAway()
      await proxy.bringBack()
    }
    await unknown
    assert.equal(runs, 1)
    await holder.query('select pg_advisory_unlock(1)')
    if (fault === 'backend killed') assert.equal(await petsCalled('slow to commit'), 0)
    else while ((await petsCalled('slow to commit')) !== 1); // PostgreSQL did not notice, and has committed
  }
})

test('a transactionOnce whose connection is lost before its commit is repeated, and committed once', async () => {
  await using db = new Database(url, () => {})
  let runs = 0
  await db.transactionOnce(async (transaction) => {
    await transaction.query({ text: `insert into pets (name, category_id) values ('cut off', 1)` })
    if (++runs === 1) await transaction.query({ text: 'select pg_terminate_backend(pg_backend_pid())' })
  })
  assert.equal(runs, 2)
  assert.equal(await petsCalled('cut off'), 1)
  assert.deepEqual(db.counts.retries, { 'never executed': 0, 'wrong role': 0, 'rolled back': 1, ambiguous: 0 })
})

test('a transactionOnce that PostgreSQL has rolled back is repeated: a deadlock, and a serialization failure', async () => {
  await using db = new Database(url, () => assert.fail('no connection was lost'))
  await pool.query('create table balances (id int primary key, amount int not null)')
  await pool.query('insert into balances values (1, 0), (2, 0)')
  const add = (id: number) => ({ text: 'update balances set amount = amount + 1 where id = $1', values: [id] })
  const both = Promise.withResolvers<void>()
  let locked = 0
  const inOrder = (first: number, second: number) =>
    db.transactionOnce(async (transaction) => {
      await transaction.query(add(first))
      if (++locked === 2) both.resolve()
      await both.promise
      await transaction.query(add(second))
    })
  await Promise.all([inOrder(1, 2), inOrder(2, 1)])
  assert.equal(db.counts.retries['rolled back'], 1)

  let runs = 0
  await db.transactionOnce(async (transaction) => {
    await transaction.query({ text: 'set transaction isolation level repeatable read' })
    await transaction.query({ text: 'select * from balances' })
    if (++runs === 1) await pool.query('update balances set amount = amount + 1 where id = 1')
    await transaction.query(add(1))
  })
  assert.equal(runs, 2)
  const { rows } = await pool.query<{ amount: number }>('select amount from balances order by id')
  assert.deepEqual(
    rows.map(({ amount }) => amount),
    [4, 2],
  )
})

test('work that ignores a failed statement is not reported as committed', async () => {
  await using db = new Database(url, () => assert.fail('no connection was lost'))
  const before = await countPets()
  const committed = db.transactionOnce(async (transaction) => {
    await addPet(transaction)
    await transaction.query({ text: 'select 1 / 0' }).catch(() => {})
  })
  await assert.rejects(committed, /division by zero|select 1 \/ 0|failed/)
  assert.equal(await countPets(), before)
})
