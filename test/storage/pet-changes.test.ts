import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { Caller } from '../../src/lib/batch.ts'
import { deleteStatement, openPetChanges, updateStatement } from '../../src/storage/pets/changes.ts'
import { connectionSettings } from '../../src/storage/postgres/connection.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { DatabaseBusy, OutcomeUnknown, RowBusy } from '../../src/storage/postgres/failures.ts'
import type { Statement } from '../../src/storage/postgres/statement.ts'
import { withWords } from '../../src/storage/search/written-words.ts'
import { opened } from '../support/cleanup.ts'
import { createDatabase } from '../support/database.ts'
import { insertPets } from '../support/factories.ts'

const { url, name: database, pool } = await createDatabase()
const db = opened.use(new Database(url, () => {}))
const batches: [name: string, items: number][] = []
const changes = openPetChanges(db, (name, items) => void batches.push([name, items]))

const rename = (id: bigint, caller?: Caller) => changes.update({ id, condition: undefined, name: 'Rex' }, caller)
const remove = (id: bigint, caller?: Caller) => changes.delete({ id, condition: undefined }, caller)

/** A transaction that has locked the row of this pet. */
async function lock(id: bigint) {
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select from pets where id = $1 for update', [id])
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

test('changes of different pets that arrive together share a statement; two of one pet do not', async () => {
  const [first, second] = await insertPets(pool, ['sold', 'sold'])
  batches.length = 0
  const results = await Promise.all(
    [first!, second!, first!].map((id, i) => changes.update({ id, condition: undefined, name: `n${i}` })),
  )
  assert.deepEqual(batches, [
    ['pets.update', 2],
    ['pets.update', 1],
  ])
  assert.deepEqual(
    results.map((result) => 'pet' in result && 'name' in result.pet && [result.pet.name, result.pet.version]),
    [
      ['n0', '2'],
      ['n1', '2'],
      ['n2', '3'],
    ],
  )
})

for (const [what, change] of [
  ['update', rename],
  ['delete', remove],
] as const) {
  test(`a row that is locked does not delay the ${what} of another pet in the same batch`, async () => {
    const [locked, free] = await insertPets(pool, ['sold', 'sold'])
    const release = await lock(locked!)
    batches.length = 0
    let isDone = false
    const waiting = change(locked!).then((result) => {
      isDone = true
      return result.outcome
    })
    assert.match((await change(free!)).outcome, /^(?:changed|deleted)$/)
    assert.deepEqual(batches[0], [`pets.${what}`, 2])
    assert.equal(isDone, false)
    await release()
    assert.match(await waiting, /^(?:changed|deleted)$/)
  })

  test(`a row that stays locked until the deadline of the ${what} is reported as busy`, async () => {
    const [id] = await insertPets(pool, ['sold'])
    const release = await lock(id!)
    const caller = { begun: performance.now() - 9_300, socket: { destroyed: false } }
    await assert.rejects(change(id!, caller), DatabaseBusy)
    await release()
  })
}

test('a hundred requests may wait for one pet; one more is rejected at once, and other pets are changed as ever', async () => {
  const [popular, other] = await insertPets(pool, ['sold', 'sold'])
  const release = await lock(popular!)
  const waiting = Array.from({ length: 100 }, () => rename(popular!))
  await assert.rejects(rename(popular!), RowBusy)
  await assert.rejects(remove(popular!), RowBusy)
  assert.equal((await rename(other!)).outcome, 'changed')
  await release()
  await Promise.all(waiting)
  assert.equal((await rename(popular!)).outcome, 'unchanged')
})

/** The statement, waiting between its snapshot and its first lock until no other session has the advisory lock 42. */
function delayed({ text, values }: Statement) {
  const place = 'where id = any($1::bigint[])'
  assert.equal(text.split(place).length, 2)
  return {
    values: values!,
    text: text.replace(place, `${place} and (select pg_advisory_xact_lock_shared(42)::text) = ''`),
  }
}

/** What a statement reports if `meanwhile` was committed after its snapshot. */
async function outcomeAfter(meanwhile: string, statement: Statement) {
  const holder = await pool.connect()
  await holder.query('select pg_advisory_lock(42)')
  const late = new pg.Client(connectionSettings(url))
  await late.connect()
  const result = late.query<{ outcome: string; version: string; name: string[] }>(delayed(statement))
  const waiting = `select 1 from pg_stat_activity where datname = $1 and wait_event = 'advisory'`
  for (let isWaiting = false; !isWaiting; ) isWaiting = (await holder.query(waiting, [database])).rowCount === 1
  await holder.query(meanwhile)
  await holder.query('select pg_advisory_unlock(42)')
  holder.release()
  const { outcome, version, name } = (await result).rows[0]!
  await late.end()
  return { outcome, version, name: name[0] }
}

test('an update decides on the newest version of a row, not on the one in its snapshot', async () => {
  const [id] = await insertPets(pool, ['sold'])
  const meanwhile = `update pets set version = version + 1, name = 'newer', status = 'available' where id = ${id}`
  const statement = (condition: bigint[]) => updateStatement([{ id: id!, condition, categoryId: 9n, words: null }])
  assert.deepEqual(await outcomeAfter(meanwhile, statement([1n])), { outcome: 'mismatch', version: '2', name: 'newer' })
  assert.deepEqual(await outcomeAfter(meanwhile, statement([3n])), { outcome: 'changed', version: '4', name: 'newer' })
  const { rows } = await pool.query('select name, category_id, status, version from pets where id = $1', [id])
  assert.deepEqual(rows, [{ name: 'newer', category_id: '9', status: 'available', version: '4' }])
})

test('an update of a pet that an order let go after the snapshot violates no constraint', async () => {
  const [id] = await insertPets(pool, ['pending'])
  await pool.query('update pets set held_by = 1 where id = $1', [id])
  const meanwhile = `update pets set status = 'available', held_by = null, version = version + 1 where id = ${id}`
  const { outcome, version } = await outcomeAfter(
    meanwhile,
    updateStatement([withWords({ id: id!, condition: undefined, name: 'Rex II', status: 'sold' })]),
  )
  assert.deepEqual({ outcome, version }, { outcome: 'changed', version: '3' })
})

test('a delete decides on the newest version of a row too', async () => {
  const [id] = await insertPets(pool, ['pending'])
  const hold = `update pets set version = version + 1, held_by = 5 where id = ${id}`
  const free = `update pets set version = version + 1, held_by = null where id = ${id}`
  const statement = deleteStatement([{ id: id!, condition: undefined }])
  assert.equal((await outcomeAfter(hold, statement)).outcome, 'held')
  assert.equal((await outcomeAfter(free, statement)).outcome, 'deleted')
  assert.equal((await pool.query('select from pets where id = $1', [id])).rowCount, 0)
})

test('a pet that is deleted after the snapshot is tried again, and is missing then', async () => {
  const [id] = await insertPets(pool, ['sold'])
  const statement = updateStatement([withWords({ id: id!, condition: undefined, name: 'Rex' })])
  assert.equal((await outcomeAfter(`delete from pets where id = ${id}`, statement)).outcome, 'busy')
  assert.deepEqual(await rename(id!), { outcome: 'missing' })
})

test('P21 a change whose connection is lost is not sent again, and is counted', async () => {
  const [id] = await insertPets(pool, ['sold'])
  const unknown = () => Promise.resolve(changes.metrics[0]!.read())
  const before = Number(await unknown())
  for (const [change, text] of [
    [rename, 'has_status'],
    [remove, 'matches, key_id, position)'],
  ] as const) {
    const holder = await pool.connect()
    await holder.query('begin; lock table pets in share mode')
    const rejected = assert.rejects(change(id!), OutcomeUnknown)
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and wait_event_type = 'Lock' and query like $2`
    for (let ended = 0; ended === 0; ) ended = (await pool.query(end, [database, `%${text}%`])).rowCount ?? 0
    await holder.query('rollback')
    holder.release()
    await rejected
  }
  assert.equal(await unknown(), before + 2)
})

test('each statement reads the rows it names, through an index, however many pets there are', async () => {
  await pool.query(`insert into pets (name, category_id) select 'pet', 1 from generate_series(1, 100000); analyze pets`)
  const { rows } = await pool.query<{ id: string }>('select id from pets order by id desc limit 200')
  const targets = rows.map(({ id }) => ({ id: BigInt(id), condition: [1n] }))
  const client = new pg.Client(connectionSettings(url))
  await client.connect()
  for (const statement of [
    updateStatement(targets.map((target) => withWords({ ...target, name: 'Rex' }))),
    deleteStatement(targets),
  ]) {
    await client.query('begin')
    // After five executions PostgreSQL may change to a plan that knows no values.
    for (let i = 0; i < 10; i++) await client.query(statement)
    const values = statement.values!.map((array) => `'{${String(array)}}'`).join(', ')
    const { rows: plan } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, format json) execute "${statement.name!}"(${values})`,
    )
    await client.query('rollback')
    const scans = nodes(plan[0]!['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === 'pets')
    const reads = scans.filter((node) => node['Node Type'] !== 'ModifyTable')
    assert.ok(reads.length >= 2 && reads.every((node) => node['Index Name']), JSON.stringify(plan[0], null, 1))
    for (const node of reads) assert.ok(node['Actual Rows'] * node['Actual Loops'] <= 200)
  }
  await client.end()
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)]
}
