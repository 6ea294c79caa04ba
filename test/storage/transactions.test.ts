import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database } from '../../src/storage/postgres/database.ts'
import type { Transaction } from '../../src/storage/postgres/statement.ts'
import { createDatabase } from '../support/database.ts'

const { url, pool } = await createDatabase()

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
  for (let i = 0; i < 4; i++) {
    const rejected = db.transaction(async (transaction) => {
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
