import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, caller, postJson, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { createTestKey, insertPets, rotateTestKey } from '../support/factories.ts'
import { contradictions, ORDERS, type Order, orderCalls, orderOf, petRow } from '../support/orders.ts'

// What a client cannot see from outside; the rest are clauses of `petstore verify`.
const { call, pool, url, key: apiKey } = await startApp()
const calls = orderCalls(call)
const { place, get, complete, cancel } = calls
// Another process on the same database.
const { address } = await startApp({ databaseUrl: url })
const other = orderCalls(caller(address, apiKey))

test('O1: of many orders that race for one pet over two processes exactly one is placed', async () => {
  const processes = [place, other.place]
  for (let round = 0; round < 10; round++) {
    const pets = await insertPets(pool, ['available', 'available', 'available'])
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        const headers: Record<string, string> = i % 3 === 0 ? { 'idempotency-key': `race ${round} ${i}` } : {}
        return processes[i % 2]!(pets[(i >> 1) % 3]!, {}, headers)
      }),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    assert.equal(refused.length, 57)
    for (const answer of refused) assertError(answer, 409, 'pet_not_available')
    for (const petId of pets) assert.equal((await petRow(pool, petId))?.version, 2)
  }
  assert.deepEqual(await contradictions(pool), [])
})

test('O7: of complete and cancel that race over two processes exactly one succeeds', async () => {
  for (let round = 0; round < 30; round++) {
    const [petId] = await insertPets(pool, ['available'])
    const { id } = orderOf(await place(petId!))
    const answers = await Promise.all([
      ...[calls, other].map((process) => process.complete(id)),
      ...[other, calls].map((process) => process.cancel(id)),
    ])
    // Both that ask for what happened get the same order.
    const succeeded = answers.filter((answer) => answer.status === 200)
    assert.equal(succeeded.length, 2)
    for (const answer of answers) if (!succeeded.includes(answer)) assertError(answer, 409, 'order_closed')
    const [order] = new Set(succeeded.map(({ text }) => text))
    assert.equal((await get(id)).text, order)
    const { status } = orderOf(await get(id))
    const expected = status === 'completed' ? 'sold' : 'available'
    assert.deepEqual(await petRow(pool, petId!), { status: expected, heldBy: null, version: 3 })
  }
  assert.deepEqual(await contradictions(pool), [])
})

test('many requests race over two processes with few keys for few pets: one order for each pet, and all of its key get it', async () => {
  const processes = [place, other.place]
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
      for (const rival of own) if (!placed.includes(rival)) assertError(rival, 409, 'pet_not_available')
      assert.equal((await petRow(pool, petId))?.version, 2)
    }
  }
  assert.deepEqual(await contradictions(pool), [])
})

test('a retry with the successor of a rotated API key finds the order', async () => {
  const old = await createTestKey(pool)
  const [petId] = await insertPets(pool, ['available'])
  const send = (key: string) => call(ORDERS, { ...postJson({ petId }, { 'idempotency-key': 'rotated' }), key })
  const first = await send(old.key)
  const again = await send((await rotateTestKey(pool, old)).key)
  assert.deepEqual([again.status, again.text, again.headers.get('idempotent-replayed')], [201, first.text, 'true'])
})

test('a filtered page may be short or empty and still have a next', async () => {
  const [petId] = await insertPets(pool, ['available'])
  const { id: oldest } = orderOf(await place(petId!))
  await complete(oldest)
  for (let i = 0; i < 9; i++) {
    await pool.query(`update pets set status = 'available' where id = $1`, [petId])
    await cancel(orderOf(await place(petId!)).id)
  }
  const first = await call(`${ORDERS}?petId=${petId}&status=completed&limit=1`)
  assert.deepEqual(ordersOf(first), [])
  assert.match(
    first.headers.get('link')!,
    new RegExp(`^</v1/store/orders\\?limit=1&status=completed&petId=${petId}&cursor=[\\w-]+>; rel="next"$`),
  )
  const pages = await walk(`petId=${petId}&status=completed&limit=1`)
  assert.deepEqual(
    pages.flat().map(({ id }) => id),
    [oldest],
  )
})

const ordersOf = (answer: Answer) => answer.body as Order[]

/** Every page of a walk, following its links. */
async function walk(query: string) {
  const pages: Order[][] = []
  for (let path: string | undefined = `${ORDERS}?${query}`; path !== undefined; ) {
    const answer: Answer = await call(path)
    assert.equal(answer.status, 200, answer.text)
    pages.push(ordersOf(answer))
    path = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return pages
}
