import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseOrderId } from '../../src/lib/ids/order-id.ts'
import { parseExact, postJson, startApp } from '../support/app.ts'
import { insertPets } from '../support/factories.ts'
import { insertOrder, ORDERS, type Order } from '../support/orders.ts'

// Every example of a success that openapi.json has for orders, compared with the response; statuses.test.ts has the errors.
interface Operation {
  operationId: string
  tags: string[]
  parameters?: { name: string; in: string; example: unknown }[]
  requestBody?: { content: { 'application/json': { examples: Record<string, { value: unknown }> } } }
  responses: Record<string, { content: { 'application/json': { examples: Record<string, { value: unknown }> } } }>
}

const document = parseExact(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties: Record<string, { examples?: unknown[] }> }> }
}
const operations = Object.values(document.paths)
  .flatMap((path) => Object.values(path))
  .filter(({ tags }) => tags.includes('orders'))

function examplesOf(operationId: string) {
  const { requestBody, responses } = operations.find((operation) => operation.operationId === operationId)!
  const [success] = Object.entries(responses).filter(([status]) => status < '300')
  const valuesOf = (examples: Record<string, { value: unknown }>) =>
    Object.fromEntries(Object.entries(examples).map(([name, { value }]) => [name, value]))
  return {
    requests: valuesOf(requestBody?.content['application/json'].examples ?? {}),
    responses: valuesOf(success![1].content['application/json'].examples),
  }
}

const parametersOf = (operationId: string) =>
  operations.find((operation) => operation.operationId === operationId)?.parameters ?? []

test('a page of orders reads as documented, and so does an empty one', async () => {
  const { call, pool } = await startApp()
  const { page, placed, empty } = examplesOf('listOrders').responses as Record<'page' | 'placed' | 'empty', Order[]>
  assert.deepEqual((await call(ORDERS)).body, empty)
  for (const order of page) await insertOrder(pool, order)
  assert.deepEqual((await call(ORDERS)).body, page)
  assert.deepEqual((await call(`${ORDERS}?status=placed`)).body, placed)
  const { order } = examplesOf('getOrder').responses as { order: Order }
  assert.deepEqual((await call(`${ORDERS}/${order.id}`)).body, order)
})

test('a count of orders reads as documented', async () => {
  const { call, pool } = await startApp()
  const { some, many } = examplesOf('countOrders').responses
  for (const order of examplesOf('listOrders').responses['page'] as Order[]) await insertOrder(pool, order)
  assert.deepEqual((await call(`${ORDERS}/count`)).body, some)
  await pool.query(
    `insert into orders (pet_id, id, version, expires_at) select 1000 + i, 1, 2, now() from generate_series(1, 1000) as i`,
  )
  assert.deepEqual((await call(`${ORDERS}/count`)).body, many)
})

test('counts of orders by period read as documented', async () => {
  const { call, pool } = await startApp()
  for (const [day, count] of [1_000, 7].entries())
    await pool.query(
      `insert into orders (pet_id, id, version, status, expires_at, closed_at)
       select 1000 * $1::int + i, 1, 2, 'completed', now(), timestamptz '2026-11-16T12:00:00Z' + $1::int * interval '1 day'
       from generate_series(1, $2::int) as i`,
      [day, count],
    )
  const { example } = parametersOf('countOrdersByPeriod').find(({ name }) => name === 'boundaries')!
  const answer = await call(`${ORDERS}/counts?status=completed&boundaries=${String(example)}`)
  assert.deepEqual(answer.body, examplesOf('countOrdersByPeriod').responses['days'])
})

for (const name of ['whole', 'least'])
  test(`an order that is placed reads as documented: ${name}`, async () => {
    const { call, pool } = await startApp()
    const { requests, responses } = examplesOf('placeOrder')
    const example = responses[name] as Order
    await insertPets(pool, ['available'])
    const send = () => call(ORDERS, postJson(requests[name], { 'idempotency-key': name }))
    const { status, body } = await send()
    const { id, placedAt, expiresAt, placedBy } = body as Order
    assert.equal(status, 201)
    assert.match(placedBy!, /^key_\w{16}$/)
    assert.deepEqual(body, { ...example, id, placedAt, expiresAt, placedBy })
    // A replay prints what was placed then: at the time of the example, and with its key, if the stored key says so.
    const stored = [parseOrderId(example.id)!.id, example.placedBy]
    await pool.query('update idempotency_keys set pet_id = $1, api_key_id = $2', stored)
    assert.deepEqual((await send()).body, example)
  })

for (const [operationId, action] of [
  ['completeOrder', 'complete'],
  ['cancelOrder', 'cancel'],
] as const)
  test(`${operationId} reads as documented`, async () => {
    const { call, pool } = await startApp()
    const { order } = examplesOf(operationId).responses as { order: Order }
    await insertOrder(pool, order)
    assert.deepEqual((await call(`${ORDERS}/${order.id}/${action}`, { method: 'POST' })).body, order)
  })

test('each example of a parameter or a field is accepted', async () => {
  const { call, pool } = await startApp()
  await insertOrder(pool, (examplesOf('getOrder').responses as { order: Order }).order)
  for (const { operationId, parameters = [] } of operations)
    for (const { name, in: place, example } of parameters) {
      assert.notEqual(example, undefined, name)
      // Its parameters are required.
      if (operationId === 'countOrdersByPeriod') continue
      const path = operationId === 'countOrders' ? `${ORDERS}/count` : ORDERS
      // Times of closing are for orders that have ended.
      const others = ['from', 'to'].includes(name) ? '&sort=closed&status=completed' : ''
      if (place === 'query') assert.equal((await call(`${path}?${name}=${String(example)}${others}`)).status, 200, name)
      if (place === 'path' && operationId === 'getOrder')
        assert.equal((await call(`${ORDERS}/${String(example)}`)).status, 200, name)
    }
  const fields = Object.entries(document.components.schemas['NewOrder']!.properties)
  const orders = fields.flatMap(([name, { examples = [] }]) => examples.map((value) => ({ [name]: value })))
  assert.equal(orders.length, 3)
  const [petId] = await insertPets(pool, ['available'])
  for (const field of orders) {
    await pool.query(`update pets set status = 'available', held_by = null`)
    const answer = await call(ORDERS, postJson({ petId, ...field }))
    assert.equal(answer.status, 201, answer.text)
  }
})
