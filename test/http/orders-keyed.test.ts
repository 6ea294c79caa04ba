import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import { caller, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey, insertPets, rotateTestKey } from '../support/factories.ts'
import { contradictions, ORDERS, orderCalls, orderOf, petRow } from '../support/orders.ts'

const { call, pool, url, key: apiKey } = await startApp()
const { place, get, cancel, complete } = orderCalls(call)

async function newPet(status = 'available') {
  const [id] = await insertPets(pool, [status])
  return id!
}

const keyed = (petId: bigint, key: string, more: object = {}) => place(petId, more, { 'idempotency-key': key })

async function countOf(table: 'orders' | 'idempotency_keys') {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int from ${table}`)
  return rows[0]!.count
}

for (const [name, end, status] of [
  ['was cancelled', cancel, 'available'],
  ['was completed', complete, 'sold'],
] as const)
  test(`O12: a replay after the order ${name} still returns it as placed, byte for byte, and places nothing`, async () => {
    const petId = await newPet()
    const key = randomUUID()
    const more = { expiresIn: 77, reference: 'basket "🐢"' }
    const first = await keyed(petId, key, more)
    assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [201, null])
    assert.equal((await get(orderOf(first).id)).text, first.text)
    await end(orderOf(first).id)
    const orders = await countOf('orders')
    const again = await keyed(petId, key, more)
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true'])
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('location'), first.headers.get('location'))
    assert.equal(await countOf('orders'), orders)
    assert.deepEqual(await petRow(pool, petId), { status, heldBy: null, version: 3 })
  })

test('a replay works after the pet was deleted, and while another order holds it', async () => {
  const petId = await newPet()
  const key = randomUUID()
  const first = await keyed(petId, key)
  await cancel(orderOf(first).id)
  const other = orderOf(await place(petId))
  assert.equal((await keyed(petId, key)).text, first.text)
  await cancel(other.id)
  await pool.query('delete from pets where id = $1', [petId])
  assert.equal((await keyed(petId, key)).text, first.text)
})

test('the same order may be written in other ways: the default of expiresIn is the same as no expiresIn', async () => {
  const petId = await newPet()
  const key = randomUUID()
  const first = await keyed(petId, key)
  for (const body of [`{"expiresIn":9e2,"petId":${petId}.0}`, `{"petId":${petId},"colour":"red"}`]) {
    const again = await call(ORDERS, postJson(body, { 'idempotency-key': key }))
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true'])
  }
})

test('O13: the same key for another pet, time or reference is 422, and no pet is held', async () => {
  const [petId, other] = [await newPet(), await newPet()]
  const key = randomUUID()
  const first = await keyed(petId, key, { reference: 'a' })
  const orders = await countOf('orders')
  assertError(await keyed(other, key, { reference: 'a' }), 422, 'idempotency_key_reused')
  for (const more of [{}, { reference: 'b' }, { reference: 'a', expiresIn: 901 }])
    assertError(await keyed(petId, key, more), 422, 'idempotency_key_reused')
  assert.equal((await petRow(pool, other))?.status, 'available')
  assert.equal(await countOf('orders'), orders)
  assert.equal((await keyed(petId, key, { reference: 'a' })).text, first.text)
})

test('O14: a 404 or 409 stores no key: the same request succeeds once the pet is available', async () => {
  const petId = await newPet('sold')
  const key = randomUUID()
  const before = await countOf('idempotency_keys')
  const refused = await keyed(petId, key)
  assertError(refused, 409, 'pet_not_available')
  assert.match(refused.text, /it is sold/)
  assertError(await keyed(999_999n, key), 404, 'pet_not_found')
  assert.equal(await countOf('idempotency_keys'), before)
  const [other] = await insertPets(pool, ['available'])
  assert.equal((await keyed(other!, key)).status, 201)
  await pool.query(`update pets set status = 'available' where id = $1`, [petId])
  assertError(await keyed(petId, key), 422, 'idempotency_key_reused')
})

test('O15: a key used for createPet is free for placeOrder, and the other way round', async () => {
  const key = randomUUID()
  const pet = postJson({ name: 'Rex', categoryId: 1, status: 'available' }, { 'idempotency-key': key })
  const created = await call('/v1/pets', pet)
  assert.equal(created.status, 201)
  const placed = await keyed((created.body as { id: bigint }).id, key)
  assert.deepEqual([placed.status, placed.headers.get('idempotent-replayed')], [201, null])
  assert.equal((await call('/v1/pets', pet)).text, created.text)
  assert.equal((await keyed((created.body as { id: bigint }).id, key)).text, placed.text)
})

test('a retry with the successor of a rotated API key finds the order', async () => {
  const old = await createTestKey(pool)
  const petId = await newPet()
  const send = (key: string) => call(ORDERS, { ...postJson({ petId }, { 'idempotency-key': 'rotated' }), key })
  const first = await send(old.key)
  const again = await send((await rotateTestKey(pool, old)).key)
  assert.deepEqual([again.status, again.text, again.headers.get('idempotent-replayed')], [201, first.text, 'true'])
})

test('many requests race over two processes with few keys for few pets: one order for each pet, and all of its key get it', async () => {
  const config = readConfig({ DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent' })
  await using second = await startService(config)
  const processes = [place, orderCalls(caller(second.address, apiKey)).place]
  for (let round = 0; round < 5; round++) {
    const pets = await insertPets(pool, ['available', 'available', 'available'])
    // Two keys compete for each pet, each sent by eight requests.
    const requests = Array.from({ length: 48 }, (_, i) => ({ petId: pets[i % 3]!, key: `${round} ${i % 6}`, i }))
    const answers = await Promise.all(
      requests.map(async ({ petId, key, i }) => ({
        petId,
        key,
        ...(await processes[(i >> 3) % 2]!(petId, {}, { 'idempotency-key': key })),
      })),
    )
    for (const petId of pets) {
      const own = answers.filter((answer) => answer.petId === petId)
      const placed = own.filter(({ status }) => status === 201)
      assert.equal(new Set(placed.map(({ text }) => text)).size, 1)
      assert.equal(new Set(placed.map(({ key }) => key)).size, 1)
      assert.equal(placed.length, 8)
      assert.equal(placed.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
      for (const other of own) if (!placed.includes(other)) assertError(other, 409, 'pet_not_available')
      assert.equal((await petRow(pool, petId))?.version, 2)
    }
  }
  assert.deepEqual(await contradictions(pool), [])
})
