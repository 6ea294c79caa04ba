import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { orderIdText } from '../../src/lib/ids/order-id.ts'
import { createDatabase } from '../support/database.ts'
import { createTestKey, rotateTestKey } from '../support/factories.ts'
import { LONG } from '../support/long.ts'
import { contradictions, insertOrder } from '../support/orders.ts'
import { launch, petstore } from '../support/process.ts'
import { until } from '../support/until.ts'

const { url, pool } = await createDatabase()
const env = { DATABASE_URL: url }
const key = await createTestKey(pool, { name: 'shop' })
const successor = await rotateTestKey(pool, key)
const other = await createTestKey(pool, { name: 'clerk' })

/** Pets that an order of this key holds each. */
async function reserve(count: number, placedBy: string, chainId: string) {
  await pool.query(
    `with made as (
       insert into pets (name, category_id, status, version, held_by)
       select 'pet', 1, 'pending', 2, 5000 + i from generate_series(1, $1::int) as i returning id, held_by)
     insert into orders (pet_id, id, version, expires_at, placed_by, chain_id)
     select id, held_by, 2, now() + interval '30 days', $2, $3 from made`,
    [count, placedBy, chainId],
  )
}
const openOrders = async () => {
  const { rows } = await pool.query<{ chain_id: string; count: number }>(
    'select chain_id, count(*)::int from orders where closed_at is null group by chain_id',
  )
  return Object.fromEntries(rows.map(({ chain_id, count }) => [chain_id, count]))
}

test('one order shows which keys placed and closed it', async () => {
  const id = orderIdText({ petId: 7n, id: (BigInt(Date.parse('2026-11-16T09:30:00.123Z')) << 21n) + 1n })
  await insertOrder(pool, {
    id,
    petId: 7n,
    status: 'completed',
    expiresAt: '2026-11-16T09:45:00.123Z',
    closedAt: '2026-11-16T09:40:00.456Z',
    reference: 'basket-4711',
    placedBy: key.id,
    closedBy: other.id,
  })
  const { code, stdout } = await petstore(['orders', 'show', id], env)
  assert.equal(code, 0)
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
    [
      ['ID', id],
      ['PET', '7'],
      ['STATUS', 'completed'],
      ['PLACED', '2026-11-16 09:30:00'],
      ['PLACED BY', `${key.id} (shop)`],
      ['EXPIRES', '2026-11-16 09:45:00'],
      ['CLOSED', '2026-11-16 09:40:00'],
      ['CLOSED BY', `${other.id} (clerk)`],
      ['REFERENCE', 'basket-4711'],
    ],
  )
  const json = JSON.parse((await petstore(['orders', 'show', id, '--json'], env)).stdout) as Record<string, unknown>
  assert.deepEqual([json['petId'], json['placedBy'], json['closedBy']], ['7', key.id, other.id])
})

test('all open orders of a key chain are cancelled, with an event each, and those of other keys stay', async () => {
  await reserve(700, key.id, key.id)
  await reserve(600, successor.id, key.id)
  await reserve(3, other.id, other.id)
  assert.deepEqual(await openOrders(), { [key.id]: 1_300, [other.id]: 3 })
  const { code, stdout, stderr } = await petstore(['orders', 'cancel', '--key', successor.id], env)
  assert.equal(code, 0, stderr)
  assert.equal(stdout, `Cancelled 1,300 open orders of the key ${successor.id} (shop).\n`)
  assert.match(stderr, new RegExp(`still works .*petstore keys revoke ${successor.id}`))
  assert.deepEqual(await openOrders(), { [other.id]: 3 })
  assert.deepEqual(await contradictions(pool), [])
  const { rows } = await pool.query<{ events: number; free: number }>(
    `select (select count(*)::int from events where type = 'order.cancelled' and key_id is null) as events,
            (select count(*)::int from pets where status = 'available' and version = 3) as free`,
  )
  assert.deepEqual(rows, [{ events: 1_300, free: 1_300 }])
  const again = await petstore(['orders', 'cancel', '--key', key.id, '--json'], env)
  assert.deepEqual([again.code, again.stdout], [0, `{"id":"${key.id}","cancelled":0}\n`])
})

const MANY = LONG ? 10_000 : 2_000
test(`${MANY} pets that a key has reserved are freed, and progress is shown`, async () => {
  await reserve(MANY, key.id, key.id)
  // As requests do meanwhile: one of the orders is held for some seconds, in which a line of progress is due.
  const blocker = await pool.connect()
  await blocker.query('begin')
  const { rows } = await blocker.query<{ pet_id: string }>(
    'select pet_id from orders where closed_at is null and chain_id = $1 limit 1',
    [key.id],
  )
  await blocker.query('select from pets where id = $1 for update', [rows[0]!.pet_id])
  const child = launch(['orders', 'cancel', '--key', key.id], env)
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  await until(() => / % {2}[\d,]+ orders/.test(child.output.stderr), 60_000)
  await blocker.query('rollback')
  blocker.release()
  assert.equal(await exited, 0, child.output.stderr)
  assert.equal(child.output.stdout, `Cancelled ${MANY.toLocaleString('en')} open orders of the key ${key.id} (shop).\n`)
  assert.equal((await openOrders())[key.id], undefined)
  assert.deepEqual(await contradictions(pool), [])
})

test('an interrupted cancellation says how far it came, and the same command continues', async () => {
  await reserve(3_000, other.id, other.id)
  const blocker = await pool.connect()
  await blocker.query('begin')
  // It waits for an order that a request is changing, and is stopped there.
  const { rows } = await blocker.query<{ pet_id: string }>('select pet_id from orders where closed_at is null limit 1')
  await blocker.query('select from pets where id = $1 for update', [rows[0]!.pet_id])
  const child = launch(['orders', 'cancel', '--key', other.id], env)
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  for (let left = Infinity; left > 1; left = (await openOrders())[other.id] ?? 0);
  child.kill('SIGINT')
  assert.equal(await exited, 1)
  assert.match(
    child.output.stderr,
    /Cancelled 3,002 of 3,003 open orders .* Stopped\. Run the same command to continue\./,
  )
  await blocker.query('rollback')
  blocker.release()
  assert.equal((await petstore(['orders', 'cancel', '--key', other.id], env)).code, 0)
  assert.deepEqual(await openOrders(), {})
})

test('open orders of before, which name no key, are cancelled once the statement of docs/keys.md has given them to theirs', async () => {
  await reserve(3, successor.id, key.id)
  await reserve(2, other.id, other.id)
  await pool.query(
    `insert into events (pet_id, version, type, name, category_id, status, changed, order_id, key_id)
     select pet_id, version, 'order.placed', 'pet', 1, 'pending', 'status', id, placed_by from orders where closed_at is null`,
  )
  await pool.query('update orders set placed_by = null, chain_id = null where closed_at is null')
  const cancel = async () => (await petstore(['orders', 'cancel', '--key', key.id, '--json'], env)).stdout
  assert.match(await cancel(), /"cancelled":0\}/)
  const [, statement] = /```sql\n(.*?)```/s.exec(readFileSync('docs/keys.md', 'utf8'))!
  await pool.query(statement!)
  assert.deepEqual(await openOrders(), { [key.id]: 3, [other.id]: 2 })
  assert.match(await cancel(), /"cancelled":3\}/)
  assert.deepEqual(await openOrders(), { [other.id]: 2 })
})

const WRONG: [args: string[], code: number, message: RegExp][] = [
  [[], 2, /show or cancel/],
  [['cancl'], 2, /Did you mean cancel\?/],
  [['show'], 2, /Name one order: petstore orders show ID/],
  [['show', 'ord_1'], 1, /There is no order "ord_1"/],
  [['cancel'], 2, /petstore orders cancel --key key_…/],
  [['cancel', '--key', 'key_none'], 1, /There is no key "key_none"\. See `petstore keys list`/],
  [['cancel', '--kye', 'key_none'], 2, /Unknown option '--kye'\. Did you mean --key\?/],
]
for (const [args, expected, message] of WRONG)
  test(`petstore orders ${args.join(' ')} says what to write instead`, async () => {
    const { code, stderr, stdout } = await petstore(['orders', ...args], env)
    assert.deepEqual([code, stdout], [expected, ''])
    assert.match(stderr, message)
  })
