import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { SERVING_JOBS } from '../../src/jobs/serving.ts'
import { orderIdText } from '../../src/lib/ids/order-id.ts'
import { startService } from '../../src/service.ts'
import { type Orders, openOrders } from '../../src/storage/orders/orders.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { createDatabase } from '../support/database.ts'
import { insertPets } from '../support/factories.ts'
import { contradictions, makeDue, petRow } from '../support/orders.ts'

const { url, pool } = await createDatabase()
const round = (orders: Orders) => SERVING_JOBS.expireOrders({ orders }).run(new AbortController().signal)

async function place(orders: Orders, count: number) {
  const pets = await insertPets(pool, Array<string>(count).fill('available'))
  return Promise.all(
    pets.map(async (petId) => {
      const result = await orders.place({ petId, expiresIn: 3_600 })
      assert.ok('id' in result)
      return { petId, id: result.id }
    }),
  )
}

async function countOf(status: string) {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int from orders where status = $1`, [status])
  return rows[0]!.count
}

function expiredBy({ metrics }: Orders) {
  const values = metrics.find(({ name }) => name === 'petstore_orders_total')?.read()
  assert.ok(Array.isArray(values))
  return values.find(({ labels }) => labels['transition'] === 'expired')?.value ?? 0
}

test('O8: an order expires at its time and not before, and its pet can be ordered again at once', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const [pet] = await insertPets(pool, ['available'])
  const placed = await orders.place({ petId: pet!, expiresIn: 1 })
  assert.ok('id' in placed)
  const key = { petId: pet!, id: placed.id }
  let order = await orders.find(key)
  for (; order?.status === 'placed'; order = await orders.find(key)) await round(orders)
  assert.equal(order?.status, 'expired')
  assert.ok(order.closedAt! >= order.expiresAt, `${order.closedAt} ${order.expiresAt}`)
  assert.ok(order.closedAt! < order.expiresAt + 5_000n)
  assert.deepEqual(await petRow(pool, pet!), { status: 'available', heldBy: null, version: 3 })
  assert.ok('id' in (await orders.place({ petId: pet!, expiresIn: 3_600 })))
})

test('O8: a running service expires orders', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const [key] = await place(orders, 1)
  await makeDue(pool, [orderIdText(key!)])
  await using _service = await startService(
    readConfig({ DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent', DRAIN_DELAY: '0' }),
  )
  const due = performance.now()
  while ((await orders.find(key!))?.status === 'placed');
  assert.ok(performance.now() - due < 5_000)
})

test('O9: every order expires once, by whichever of several processes, in parts', async () => {
  await using one = new Database(url, () => {})
  await using two = new Database(url, () => {})
  const processes = [openOrders(one), openOrders(two)]
  const keys = await place(processes[0]!, 1_300)
  await makeDue(pool, keys.map(orderIdText))
  const before = await countOf('expired')
  while ((await countOf('expired')) < before + 1_300) await Promise.all(processes.map(round))
  assert.equal(expiredBy(processes[0]!) + expiredBy(processes[1]!), 1_300)
  for (const { petId } of [keys[0]!, keys.at(-1)!])
    assert.deepEqual(await petRow(pool, petId), { status: 'available', heldBy: null, version: 3 })
  const { rows } = await pool.query(`select from pets where id = any($1) and version <> 3`, [
    keys.map(({ petId }) => petId),
  ])
  assert.deepEqual(rows, [])
  assert.deepEqual(await contradictions(pool), [])
})

test('O9: of complete and expiry that race exactly one happens', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  for (let i = 0; i < 20; i++) {
    const keys = await place(orders, 10)
    await makeDue(pool, keys.map(orderIdText))
    const results = await Promise.all([
      ...keys.map((key) => orders.close({ ...key, status: 'completed' })),
      round(orders).then(() => undefined),
    ])
    for (const [j, { petId }] of keys.entries()) {
      const result = results[j]
      assert.ok(result?.outcome === 'closed')
      const status = result.order.status === 'completed' ? 'sold' : 'available'
      assert.deepEqual(await petRow(pool, petId), { status, heldBy: null, version: 3 })
    }
  }
})

test('orders whose pets others are changing are left for later, and keep no other from expiring', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const busy = await place(orders, 600)
  await makeDue(pool, busy.map(orderIdText))
  const others = await place(orders, 10)
  await makeDue(pool, others.map(orderIdText))
  const lock = await pool.connect()
  await lock.query('begin')
  await lock.query('select from pets where id = any($1) for update', [busy.map(({ petId }) => petId)])
  await round(orders)
  for (const key of others) assert.equal((await orders.find(key))?.status, 'expired')
  for (const key of [busy[0]!, busy.at(-1)!]) assert.equal((await orders.find(key))?.status, 'placed')
  await lock.query('rollback')
  lock.release()
  await round(orders)
  for (const key of busy) assert.equal((await orders.find(key))?.status, 'expired')
})

test('how late expiry is can be measured', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const lag = () => Number(orders.metrics.find(({ name }) => name === 'petstore_order_expiry_lag_seconds')?.read())
  await round(orders)
  assert.equal(lag(), 0)
  const [key] = await place(orders, 1)
  await makeDue(pool, [orderIdText(key!)])
  await pool.query(`update orders set expires_at = now() - interval '30 seconds' where id = $1`, [key!.id])
  await round(orders)
  assert.ok(lag() >= 30 && lag() < 40, String(lag()))
  await round(orders)
  assert.equal(lag(), 0)
})

test('a service that shuts down ends its round between two parts', async () => {
  await using db = new Database(url, () => {})
  const orders = openOrders(db)
  const keys = await place(orders, 501)
  await makeDue(pool, keys.map(orderIdText))
  const before = await countOf('expired')
  await SERVING_JOBS.expireOrders({ orders }).run(AbortSignal.abort())
  assert.equal(await countOf('expired'), before + 500)
  await round(orders)
})
