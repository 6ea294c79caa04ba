import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caller, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { endOfFeed, eventsOf } from '../support/events.ts'
import { createTestKey, insertPets, rotateTestKey } from '../support/factories.ts'
import { toolCaller } from '../support/mcp.ts'
import { makeDue, orderCalls, orderOf } from '../support/orders.ts'
import { petstore } from '../support/process.ts'
import { until } from '../support/until.ts'

const app = await startApp()
const { pool, url, address } = app
const newPet = async () => (await insertPets(pool, ['available']))[0]!
const buyer = await createTestKey(pool)
const clerk = await createTestKey(pool)
const byBuyer = orderCalls(caller(address, buyer.key))
const byClerk = orderCalls(caller(address, clerk.key))

test('an order says which key placed it and which closed it, in every response and in its events', async () => {
  const petId = await newPet()
  const placed = await byBuyer.place(petId)
  const { id } = orderOf(placed)
  assert.deepEqual([orderOf(placed).placedBy, orderOf(placed).closedBy], [buyer.id, undefined])
  assert.equal((await byClerk.get(id)).text, placed.text)
  const completed = await byClerk.complete(id)
  assert.deepEqual([orderOf(completed).placedBy, orderOf(completed).closedBy], [buyer.id, clerk.id])
  // A repetition with another key closes nothing.
  assert.equal((await byBuyer.complete(id)).text, completed.text)
  const listed = await app.call(`/v1/store/orders?petId=${petId}`)
  assert.equal(listed.text, `[${completed.text}]`)
  await endOfFeed(app)
  const orders = eventsOf(await app.call(`/v1/events?petId=${petId}`)).map(({ data }) => data.order)
  assert.deepEqual(orders, [placed.body, completed.body])
})

test('no key has closed an order that expired', async () => {
  const { id } = orderOf(await byBuyer.place(await newPet()))
  await makeDue(pool, [id])
  const ended = await until(async () => {
    const order = orderOf(await byBuyer.get(id))
    return order.status === 'expired' && order
  })
  assert.deepEqual([ended.placedBy, 'closedBy' in ended], [buyer.id, false])
})

test('a replay with the successor of the key returns the order as it was placed, with the key that placed it', async () => {
  const old = await createTestKey(pool)
  const successor = await rotateTestKey(pool, old)
  const petId = await newPet()
  const [before, after] = [old, successor].map(({ key }) => orderCalls(caller(address, key)))
  const placed = await before!.place(petId, {}, { 'idempotency-key': 'over a rotation' })
  const replayed = await after!.place(petId, {}, { 'idempotency-key': 'over a rotation' })
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
  assert.equal(replayed.text, placed.text)
  assert.equal(orderOf(placed).placedBy, old.id)
})

test('beyond the limit of its chain a key is told the limit, a replay still works, and a new limit applies within a second', async () => {
  const old = await createTestKey(pool)
  const limit = async (to: string) => {
    const { code, stderr } = await petstore(['keys', 'limit', old.id, '--open-orders', to], { DATABASE_URL: url })
    assert.equal(code, 0, stderr)
  }
  await limit('2')
  const successor = await rotateTestKey(pool, old)
  const [before, after] = [old, successor].map(({ key }) => orderCalls(caller(address, key)))
  const first = await newPet()
  const placed = await before!.place(first, {}, { 'idempotency-key': 'first' })
  assert.equal((await after!.place(await newPet())).status, 201)
  const third = await newPet()
  for (const calls of [before!, after!])
    for (const headers of [{}, { 'idempotency-key': 'third' }]) {
      const refused = await calls.place(third, {}, headers)
      assertError(refused, 409, 'too_many_open_orders')
      assert.match(
        refused.text,
        /has reached its limit of 2 open orders, .*\. Complete or cancel one .* ask the operator/,
      )
      assert.equal(refused.headers.get('retry-after'), null)
    }
  const byTool = await toolCaller(app.call)('order_pet', { petId: String(third) }, { key: successor.key })
  assert.equal(byTool.isError, true)
  assert.match(byTool.text, /has reached its limit of 2 open orders, .*\. Complete or cancel one .* ask the operator/)
  const replayed = await after!.place(first, {}, { 'idempotency-key': 'first' })
  assert.deepEqual([replayed.status, replayed.text], [201, placed.text])
  assert.equal((await byBuyer.place(third)).status, 201)
  await limit('3')
  const fourth = await newPet()
  await until(async () => (await after!.place(fourth)).status === 201)
  assertError(await before!.place(await newPet()), 409, 'too_many_open_orders')
})
