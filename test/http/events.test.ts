import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prunePages } from '../../src/storage/events/pruner.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { patchJson, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { addPet, cursorOf, endOfFeed, eventsOf, follow, followUntil, nextOf, sequenceOf } from '../support/events.ts'
import { makeDue, orderCalls, orderOf } from '../support/orders.ts'

const { call, pool, url } = await startApp()
const { place, complete, cancel } = orderCalls(call)

const now = () => endOfFeed({ call, pool })
const newPet = (status?: string) => addPet(call, status)

test('E1: every change is followed by exactly one event with its version, a refusal by none', async () => {
  const start = await now()
  const keyed = await call('/v1/pets', postJson({ name: 'Tom', categoryId: 1 }, { 'idempotency-key': 'tom' }))
  await call('/v1/pets', postJson({ name: 'Tom', categoryId: 1 }, { 'idempotency-key': 'tom' }))
  const tom = (keyed.body as { id: bigint }).id
  const rex = await newPet('available')
  await call(`/v1/pets/${rex}`, patchJson({ name: 'Rex II', categoryId: 8 }))
  await call(`/v1/pets/${rex}`, patchJson({ name: 'Rex II' })) // no change
  await call(`/v1/pets/${rex}`, patchJson({ name: 'no' }, { 'if-match': '"99"' })) // 412
  const placed = orderOf(await place(rex, { reference: 'basket' }))
  await place(rex) // 409
  await call(`/v1/pets/${rex}`, patchJson({ name: 'Rex III' }))
  const cancelled = orderOf(await cancel(placed.id))
  await cancel(placed.id) // again
  const keyedOrder = orderOf(await place(rex, {}, { 'idempotency-key': 'order' }))
  const completed = orderOf(await complete(keyedOrder.id))
  await call(`/v1/pets/${tom}`, { method: 'DELETE' })
  await call(`/v1/pets/${tom}`, { method: 'DELETE' }) // 404

  const { events } = await followUntil(call, start, 9)
  const keyId = events[0]?.data.keyId
  assert.match(keyId ?? '', /^key_/)
  const pet = { id: rex, name: 'Rex', categoryId: 7n, status: 'available', version: 1n }
  const second = { ...pet, name: 'Rex II', categoryId: 8n }
  const third = { ...second, name: 'Rex III' }
  assert.deepEqual(
    events.filter(({ subject }) => subject === `pets/${rex}`).map(({ type, data }) => ({ type, ...data })),
    [
      { type: 'pet.created', pet, keyId },
      { type: 'pet.updated', pet: { ...second, version: 2n }, changed: ['name', 'categoryId'], keyId },
      {
        type: 'order.placed',
        pet: { ...second, status: 'pending', version: 3n, orderId: placed.id },
        order: placed,
        changed: ['status'],
        keyId,
      },
      {
        type: 'pet.updated',
        pet: { ...third, status: 'pending', version: 4n, orderId: placed.id },
        changed: ['name'],
        keyId,
      },
      { type: 'order.cancelled', pet: { ...third, version: 5n }, order: cancelled, changed: ['status'], keyId },
      {
        type: 'order.placed',
        pet: { ...third, status: 'pending', version: 6n, orderId: keyedOrder.id },
        order: keyedOrder,
        changed: ['status'],
        keyId,
      },
      {
        type: 'order.completed',
        pet: { ...third, status: 'sold', version: 7n },
        order: completed,
        changed: ['status'],
        keyId,
      },
    ],
  )
  const gone = { id: tom, name: 'Tom', categoryId: 1n }
  assert.deepEqual(
    events.filter(({ subject }) => subject === `pets/${tom}`).map(({ type, data }) => ({ type, ...data })),
    [
      { type: 'pet.created', pet: { ...gone, version: 1n }, keyId },
      { type: 'pet.deleted', pet: { ...gone, version: 2n }, keyId },
    ],
  )
  assert.equal(events.length, 9)
})

test('E1: an order that expires has an event without a key', async () => {
  const petId = await newPet('available')
  const start = await now()
  const order = orderOf(await place(petId))
  await makeDue(pool, [order.id])
  const { events } = await followUntil(call, start, 2)
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.order?.status, data.keyId !== undefined]),
    [
      ['order.placed', 'placed', true],
      ['order.expired', 'expired', false],
    ],
  )
  assert.ok(events[1]?.data.order?.closedAt)
})

test('E2, E3: the numbers are dense, and walks with any limit give the same events', async () => {
  for (let i = 0; i < 40; i++) await newPet()
  await now()
  const whole = await follow(call, '/v1/events?limit=100')
  assert.deepEqual(
    whole.events.map(({ sequence }) => sequence),
    whole.events.map((_, i) => String(i + 1).padStart(16, '0')),
  )
  for (const limit of [1, 7, 99])
    assert.deepEqual((await follow(call, `/v1/events?limit=${limit}`)).events, whole.events, `limit ${limit}`)
  assert.equal(new Set(whole.events.map(({ id }) => id)).size, whole.events.length)
})

test('E4: an empty page has a next page, and following it later misses nothing', async () => {
  const empty = await call(await now())
  assert.deepEqual(eventsOf(empty), [])
  const next = nextOf(empty)
  const ids = [await newPet(), await newPet()]
  const { events } = await followUntil(call, next, 2)
  assert.deepEqual(new Set(events.map(({ data }) => data.pet?.id)), new Set(ids))
})

test('E7: a cursor older than what is kept is 410; one exactly before it is 200', async () => {
  const { events } = await follow(call, '/v1/events?limit=100')
  const cursors: string[] = []
  for (let next = '/v1/events?limit=1', i = 0; i < events.length; i++) {
    next = nextOf(await call(next))
    cursors.push(next)
  }
  // The first page of the feed that has events, and the one before.
  const { rows } = await pool.query<{ first: string; count: number }>(
    `select first, cardinality(pet_ids) as count from feed_pages where first > 0 order by first limit 1`,
  )
  const count = rows[0]!.count
  await pool.query(`update feed_pages set at = now() - interval '1 year' where first <= $1`, [rows[0]!.first])
  await using db = new Database(url, () => {})
  assert.equal(await prunePages(db, 3_600_000), true)
  assert.equal(await prunePages(db, 3_600_000), false)
  const kept = eventsOf(await call(cursors[count - 1]!))
  assert.deepEqual(kept, [events[count]])
  for (const path of cursors.slice(0, count - 1)) assertError(await call(path), 410, 'cursor_expired')
  assert.deepEqual((await follow(call, '/v1/events?limit=100')).events, events.slice(count))
})

test('E9: what does not fit together is 400', async () => {
  const cursor = cursorOf(await now())
  const ofPets = cursorOf(nextOf(await call('/v1/pets?limit=1')))
  const history = cursorOf(nextOf(await call('/v1/events?petId=1')))
  for (const query of [
    `from=now&cursor=${cursor}`,
    'wait=10',
    'wait=-1',
    'type=pet.sold',
    'type=',
    'limit=101',
    'petId=1&wait=1',
    'petId=1&type=pet.created',
    'petId=1&from=now',
    'petId=01',
    'from=then',
    'from=now&from=now',
    `type=${Array.from({ length: 9 }, () => 'pet.created').join()}`,
  ])
    assertError(await call(`/v1/events?${query}`), 400, 'invalid_parameter')
  for (const query of [
    `cursor=${ofPets}`,
    `petId=1&cursor=${cursor}`,
    `petId=2&cursor=${history}`,
    `cursor=${history}`,
  ])
    assertError(await call(`/v1/events?${query}`), 400, 'invalid_cursor')
})

test('E10: a page looks at a thousand events at most; with types it may be empty and have a next', async () => {
  const start = await now()
  const first = await newPet()
  await pool.query(
    `insert into events (pet_id, version, type, name, category_id)
     select 1000000 + i, 1, 'pet.updated', 'Rex', 7 from generate_series(1, 1500) as i`,
  )
  const last = await newPet()
  await now()
  const path = `${start}&limit=2&type=pet.created,pet.deleted`
  const pages: { path: string; ids: (bigint | undefined)[] }[] = []
  for (let next = path; pages.length < 3; next = pages.at(-1)!.path) {
    const page = await call(next)
    pages.push({ path: nextOf(page), ids: eventsOf(page).map(({ data }) => data.pet?.id) })
  }
  const steps = pages.map(({ path: next, ids }) => ({ looked: sequenceOf(next) - sequenceOf(start), ids }))
  assert.deepEqual(steps, [
    { looked: 1_000n, ids: [first] },
    { looked: 1_502n, ids: [last] },
    { looked: 1_502n, ids: [] },
  ])
  assert.match(pages[0]!.path, /limit=2&type=pet\.created%2Cpet\.deleted&cursor=/)
  const rare = await call(`${start}&type=order.expired`)
  assert.deepEqual([eventsOf(rare), sequenceOf(nextOf(rare)) - sequenceOf(start)], [[], 1_000n])
})

test('E12: every digit of 64 bits is kept', async () => {
  const start = await now()
  for (const categoryId of [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n])
    await call('/v1/pets', postJson({ name: 'Rex', categoryId }))
  await pool.query(
    `insert into events (pet_id, version, type, added) values (0, 1, 'pets.imported', 9223372036854775807);
     insert into events (pet_id, version, type, name, category_id) values
       (9007199254740991, 140737488355328, 'pet.updated', 'Rex', 7)`,
  )
  await now()
  const { text } = await call(start)
  assert.match(text, /"categoryId":9223372036854775807,/)
  assert.match(text, /"categoryId":-9223372036854775808,/)
  assert.match(text, /"subject":"pets",.*"data":\{"added":9223372036854775807\}/)
  assert.match(text, /"subject":"pets\/9007199254740991",.*"id":9007199254740991,.*"version":140737488355328\}/)
})

test('E15: a history has all versions of a pet, and ends with the pet as it is', async () => {
  const id = await newPet('available')
  for (let i = 0; i < 5; i++) await call(`/v1/pets/${id}`, patchJson({ name: `Rex ${i}` }))
  await place(id)
  const { events } = await follow(call, `/v1/events?petId=${id}&limit=2`)
  assert.deepEqual(
    events.map(({ data }) => data.pet?.version),
    [1n, 2n, 3n, 4n, 5n, 6n, 7n],
  )
  const [pet] = (await call(`/v1/pets?view=full&id=${id}`)).body as object[]
  assert.deepEqual(events.at(-1)?.data.pet, pet)
  assert.ok(events.every(({ sequence }) => sequence === undefined))
  assert.deepEqual(eventsOf(await call('/v1/events?petId=0')), [])
})

test('E15: the history of a pet that was deleted ends with that', async () => {
  const id = await newPet('sold')
  const before = nextOf(await call(`/v1/events?petId=${id}`))
  assert.deepEqual(eventsOf(await call(before)), [])
  await call(`/v1/pets/${id}`, { method: 'DELETE' })
  const [event, ...none] = eventsOf(await call(before))
  assert.deepEqual(none, [])
  assert.equal(event?.type, 'pet.deleted')
  assert.deepEqual(event.data.pet, { id, name: 'Rex', categoryId: 7n, status: 'sold', version: 2n })
})
