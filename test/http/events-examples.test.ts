import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { parseExact, patchJson, startApp } from '../support/app.ts'
import { addPet, endOfFeed, eventsOf, type FeedEvent, follow, followUntil } from '../support/events.ts'
import { createTestKey } from '../support/factories.ts'
import { insertOrder, makeDue, type Order, orderCalls, orderOf } from '../support/orders.ts'

// Every example of a success that openapi.json has for events, compared with the response; statuses.test.ts has the errors.
const document = parseExact(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
interface Operation {
  parameters: { name: string; example: unknown }[]
  responses: Record<string, { content: { 'application/json': { examples: Record<string, { value: unknown }> } } }>
}
const { parameters, responses } = document.paths['/events']!['get']!
const exampleOf = (name: string) => parameters.find((parameter) => parameter.name === name)!.example
const { page, empty } = responses['200']!.content['application/json'].examples

test('a page of events reads as documented, and so does an empty one', async () => {
  const { call, pool } = await startApp({ publicBaseUrl: 'https://pets.example/v1' })
  assert.deepEqual((await call('/v1/events')).body, empty!.value)
  const [event] = page!.value as [FeedEvent]
  const { pet, order, changed, keyId } = event.data
  await insertOrder(pool, order as Order)
  // As if there had been so many events before. A page that another transaction had changed would begin a new epoch.
  await pool.query('update feed_pages set first = $1, transaction = pg_current_xact_id()', [
    BigInt(event.sequence!) - 1n,
  ])
  await pool.query(
    `insert into events (pet_id, version, at, type, name, category_id, status, order_id, changed, key_id)
     select $1, $2, $3, $4, $5, $6, $7, id, $8, $9 from orders`,
    [pet!.id, pet!.version, event.time, event.type, pet!.name, pet!.categoryId, pet!.status, changed!.join(' '), keyId],
  )
  const { events } = await followUntil(call, '/v1/events', 1)
  assert.deepEqual(events, page!.value)
})

test('each example of a parameter is accepted', async () => {
  const { call, pool } = await startApp()
  await addPet(call)
  await endOfFeed({ call, pool }) // so that none waits
  const { id } = await createTestKey(pool)
  await pool.query('update api_keys set id = $1 where id = $2', [exampleOf('keyId'), id])
  for (const { name, example } of parameters) {
    assert.notEqual(example, undefined, name)
    const { status } = await call(`/v1/events?${name}=${String(example)}`)
    // A cursor belongs to one store, and is read by any.
    assert.equal(status, name === 'cursor' ? 410 : 200, name)
  }
})

// The JSON schema of CloudEvents 1.0.2 (cloudevents/formats/cloudevents.json), and what its text says beyond that: the names and the
// types of extensions.
const CLOUD_EVENT = {
  type: 'object',
  required: ['id', 'source', 'specversion', 'type'],
  properties: {
    id: { type: 'string', minLength: 1 },
    source: { type: 'string', minLength: 1, format: 'uri-reference' },
    specversion: { type: 'string', const: '1.0' },
    type: { type: 'string', minLength: 1 },
    subject: { type: 'string', minLength: 1 },
    time: { type: 'string', minLength: 1, format: 'date-time' },
    data: { type: 'object' },
  },
  patternProperties: { '^[a-z0-9]{1,20}$': {} },
  additionalProperties: false,
}
const ajv = new Ajv({
  allErrors: true,
  formats: {
    'uri-reference': (text: string) => URL.canParse(text, 'http://x') && !/[\s<>"{}|\\^`]/.test(text),
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
  },
})
const isCloudEvent = ajv.compile(CLOUD_EVENT)

for (const publicBaseUrl of [undefined, 'https://pets.example/v1'])
  test(`E11: an event of each type is a CloudEvent, from ${publicBaseUrl ?? 'a service that knows no URL of its own'}`, async () => {
    const app = await startApp({ publicBaseUrl })
    const { call, pool } = app
    const { place, complete, cancel } = orderCalls(call)
    const id = await addPet(call, 'available')
    await call(`/v1/pets/${id}`, patchJson({ name: 'Rex II' }))
    await cancel(orderOf(await place(id)).id)
    await makeDue(pool, [orderOf(await place(id)).id])
    for (let status = 409; status === 409; ) {
      const placed = await place(id)
      status = placed.status
      if (status === 201) await complete(orderOf(placed).id)
    }
    await call(`/v1/pets/${id}`, { method: 'DELETE' })
    await pool.query(`insert into events (pet_id, version, type, added) values (0, 1, 'pets.imported', 1000)`)
    await endOfFeed(app)
    const { events } = await follow(call, '/v1/events')
    assert.equal(new Set(events.map(({ type }) => type)).size, 8)
    for (const event of [...events, ...eventsOf(await call(`/v1/events?petId=${id}`))]) {
      assert.ok(isCloudEvent(event), JSON.stringify(isCloudEvent.errors))
      assert.equal(event.source, publicBaseUrl ?? '/v1')
    }
    const ids = events.map((event) => `${event.source} ${event.id}`)
    assert.equal(new Set(ids).size, events.length)
  })
