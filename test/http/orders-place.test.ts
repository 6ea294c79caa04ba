import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { parseOrderId } from '../../src/lib/order-id.ts'
import { startService } from '../../src/service.ts'
import { caller, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey, insertPets } from '../support/factories.ts'
import { contradictions, ORDERS, orderCalls, orderOf, petRow } from '../support/orders.ts'
import { exchange } from '../support/raw.ts'

const { call, pool, url, key, address } = await startApp()
const { place, get, cancel } = orderCalls(call)

async function newPet(status: string | null = 'available') {
  const [id] = await insertPets(pool, [status])
  return id!
}

test('an order says what was ordered, from when and until when, and where it is', async () => {
  const petId = await newPet()
  const before = Date.now()
  const answer = await place(petId, { expiresIn: 60, reference: 'basket, "4711" 🐢' })
  assert.equal(answer.status, 201, answer.text)
  const order = orderOf(answer)
  assert.deepEqual(Object.keys(order), ['id', 'petId', 'status', 'placedAt', 'expiresAt', 'reference'])
  assert.match(order.id, /^ord_[\w-]{20}$/)
  assert.deepEqual([order.petId, order.status, order.reference], [petId, 'placed', 'basket, "4711" 🐢'])
  assert.match(order.placedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.ok(Math.abs(Date.parse(order.placedAt) - before) < 5_000)
  assert.equal(Date.parse(order.expiresAt) - Date.parse(order.placedAt), 60_000)
  assert.equal(answer.headers.get('location'), `${ORDERS}/${order.id}`)
  assert.equal((await call(answer.headers.get('location')!)).text, answer.text)
})

test('without expiresIn an order expires after 15 minutes, and without a reference it has none', async () => {
  const order = orderOf(await place(await newPet()))
  assert.equal(Date.parse(order.expiresAt) - Date.parse(order.placedAt), 900_000)
  assert.equal('reference' in order, false)
})

test('O1: of many orders that race for one pet over two processes exactly one is placed', async () => {
  const config = readConfig({ DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent' })
  await using second = await startService(config)
  const processes = [place, orderCalls(caller(second.address, key)).place]
  for (let round = 0; round < 10; round++) {
    const pets = await insertPets(pool, ['available', 'available', 'available'])
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        const headers: Record<string, string> = i % 3 === 0 ? { 'idempotency-key': `race ${round} ${i}` } : {}
        return processes[i % 2]!(pets[(i >> 1) % 3]!, {}, headers)
      }),
    )
    const others = answers.filter(({ status }) => status !== 201)
    assert.equal(others.length, 57)
    for (const other of others) assertError(other, 409, 'pet_not_available')
    for (const petId of pets) assert.equal((await petRow(pool, petId))?.version, 2)
  }
  assert.deepEqual(await contradictions(pool), [])
})

test('O2: after 201 the pet is pending, names the order, and its version is one more', async () => {
  const petId = await newPet()
  const { id } = orderOf(await place(petId))
  assert.deepEqual(await petRow(pool, petId), { status: 'pending', heldBy: parseOrderId(id)!.id, version: 2 })
  assert.deepEqual(((await call(`/v1/pets/${petId}`)).body as { status: string }).status, 'pending')
})

for (const [status, what] of [
  ['pending', 'it is pending'],
  ['sold', 'it is sold'],
  [null, 'it has no status'],
] as const)
  test(`O3, O11: a pet whose status is ${status} cannot be ordered, and the message says so`, async () => {
    const petId = await newPet(status)
    const answer = await place(petId)
    assertError(answer, 409, 'pet_not_available')
    const message = `The pet ${petId} cannot be ordered: ${what}. Only a pet whose status is available can be ordered.`
    assert.ok(answer.text.includes(message), answer.text)
    assert.equal(answer.headers.get('retry-after'), null)
    assert.deepEqual(await petRow(pool, petId), { status, heldBy: null, version: 1 })
  })

test('O4: a pet that an order holds cannot be ordered again; once it is free it can', async () => {
  const petId = await newPet()
  const { id } = orderOf(await place(petId))
  const again = await place(petId)
  assertError(again, 409, 'pet_not_available')
  assert.match(again.text, /it is pending, held by another order/)
  await cancel(id)
  const next = await place(petId)
  assert.equal(next.status, 201)
  assert.notEqual(orderOf(next).id, id)
  assert.deepEqual(await contradictions(pool), [])
})

test('a pet that does not exist is not found, whatever int64 its id is', async () => {
  for (const petId of [999_999n, 0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]) {
    const answer = await place(petId)
    assertError(answer, 404, 'pet_not_found')
    assert.ok(answer.text.includes(`No pet has the id ${petId}.`))
  }
})

for (const expiresIn of ['0', '-1', '1.5', '"900"', '2592001', 'null', 'true', '[]', '1e400', '99999999999999999999'])
  test(`O17: expiresIn ${expiresIn} is invalid`, async () => {
    const answer = await call(ORDERS, postJson(`{"petId":1,"expiresIn":${expiresIn}}`))
    assertError(answer, 400, 'invalid_body')
    assert.match(answer.text, /`expiresIn` must be an integer from 1 to 2592000.*; got /)
  })

for (const [expiresIn, seconds] of [
  ['1', 1],
  ['2592000', 2_592_000],
  ['9e2', 900],
  ['900.0', 900],
] as const)
  test(`O17: expiresIn ${expiresIn} is valid`, async () => {
    const answer = await call(ORDERS, postJson(`{"petId":${await newPet()},"expiresIn":${expiresIn}}`))
    const { placedAt, expiresAt } = orderOf(answer)
    assert.equal(Date.parse(expiresAt) - Date.parse(placedAt), seconds * 1_000)
    assert.equal((await get(orderOf(answer).id)).text, answer.text)
  })

for (const [name, reference, message] of [
  ['empty', '""', '1 to 255 characters'],
  ['256 characters long', JSON.stringify('x'.repeat(256)), 'at most 255 characters'],
  ['a number', '1', 'must be a string'],
  ['null', 'null', 'must be a string'],
  ['blank', '" "', 'at least one visible character'],
  ['a line end', '"a\\nb"', 'control characters'],
  ['half a character', '"\\ud83d"', 'surrogate'],
] as const)
  test(`a reference must not be ${name}`, async () => {
    const answer = await call(ORDERS, postJson(`{"petId":1,"reference":${reference}}`))
    assertError(answer, 400, 'invalid_body')
    assert.ok(answer.text.includes(message), answer.text)
  })

test('a reference is printed as it was sent, and has up to 255 characters', async () => {
  for (const reference of ['🐢'.repeat(255), ' a\u2028b\\"</script> ', 'NULL', '{a,b}', '1,2']) {
    const { id } = orderOf(await place(await newPet(), { reference }))
    assert.equal(orderOf(await get(id)).reference, reference)
  }
})

test('petId is required and exact; unknown fields, also an id or a status, are ignored', async () => {
  assertError(await call(ORDERS, postJson('{}')), 400, 'invalid_body')
  assertError(await call(ORDERS, postJson('{"petId":9223372036854775808}')), 400, 'invalid_body')
  const answer = await place(await newPet(), { id: 'ord_x', status: 'completed', colour: 'red' })
  assert.equal(orderOf(answer).status, 'placed')
})

test('O20: without orders:write an order is rejected before its body is read', async () => {
  const reader = await createTestKey(pool, { scopes: ['pets:read', 'pets:write', 'orders:read'] })
  const head = `POST ${ORDERS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${reader.key}\r\nContent-Length: 1000\r\n\r\n`
  const [answer] = await exchange(address, head)
  assert.equal(answer?.status, 403)
  assert.match(answer.body, /needs a key with the scope orders:write/)
  assert.match(answer.headers.get('www-authenticate') ?? '', /scope="orders:write"/)
})

test('O22: a key with the scopes from before can neither read nor place orders', async () => {
  const old = await createTestKey(pool, { scopes: ['pets:read', 'pets:write'] })
  const { id } = orderOf(await place(await newPet()))
  for (const [path, method] of [
    [ORDERS, 'GET'],
    [ORDERS, 'POST'],
    [`${ORDERS}/${id}`, 'GET'],
    [`${ORDERS}/${id}/complete`, 'POST'],
    [`${ORDERS}/${id}/cancel`, 'POST'],
  ] as const) {
    const answer = await call(path, { method, key: old.key })
    assertError(answer, 403, 'insufficient_scope')
    assert.match(answer.text, method === 'GET' ? /orders:read/ : /orders:write/)
  }
})
