import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { parseOrderId } from '../../src/lib/order-id.ts'
import { startService } from '../../src/service.ts'
import { caller, startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'
import { insertPets } from '../support/factories.ts'
import { contradictions, makeDue, ORDERS, orderCalls, orderOf, petRow } from '../support/orders.ts'
import { RawConnection } from '../support/raw.ts'

const { call, pool, url, key, address } = await startApp()
const calls = orderCalls(call)
const { place, get, complete, cancel } = calls

/** A new pet with an order. */
async function newOrder() {
  const [petId] = await insertPets(pool, ['available'])
  return orderOf(await place(petId!, { reference: 'basket' }))
}

for (const [name, ended, petStatus] of [
  ['complete', 'completed', 'sold'],
  ['cancel', 'cancelled', 'available'],
] as const) {
  const [end, other, otherName] =
    name === 'complete' ? [complete, cancel, 'cancelled'] : [cancel, complete, 'completed']

  test(`O5: ${name} ends the order and frees the pet, which becomes ${petStatus}, its version one more`, async () => {
    const { petId, ...order } = await newOrder()
    const answer = await end(order.id)
    assert.equal(answer.status, 200, answer.text)
    const { closedAt, ...closed } = orderOf(answer)
    assert.deepEqual(closed, { ...order, petId, status: ended })
    assert.match(closedAt!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(closedAt! >= order.placedAt)
    assert.deepEqual(await petRow(pool, petId), { status: petStatus, heldBy: null, version: 3 })
    assert.equal((await get(order.id)).text, answer.text)
  })

  test(`O6: ${name} again is 200 with the same order; the other way is 409, and says how and when it ended`, async () => {
    const { petId, id } = await newOrder()
    const first = await end(id)
    const again = await end(id)
    assert.deepEqual([again.status, again.text], [200, first.text])
    const refused = await other(id)
    assertError(refused, 409, 'order_closed')
    const message = `The order ${id} cannot be ${otherName}: it was ${ended} at ${orderOf(first).closedAt}.`
    assert.ok(refused.text.includes(message), refused.text)
    assert.equal(refused.headers.get('retry-after'), null)
    assert.equal((await get(id)).text, first.text)
    assert.equal((await petRow(pool, petId))?.version, 3)
  })

  test(`O6: ${name} after expiry is 409`, async () => {
    const { id } = await newOrder()
    await makeDue(pool, [id])
    let order = orderOf(await get(id))
    while (order.status === 'placed') order = orderOf(await get(id))
    const refused = await end(id)
    assertError(refused, 409, 'order_closed')
    assert.ok(refused.text.includes(`cannot be ${ended}: it expired at ${order.closedAt}.`), refused.text)
  })

  test(`${name} twice at once: both get the same order`, async () => {
    const { id } = await newOrder()
    const [one, two] = await Promise.all([end(id), end(id)])
    assert.deepEqual([one.status, two.status, two.text], [200, 200, one.text])
  })

  test(`O16: an order stays after its pet was deleted, and ${name} repeats`, async () => {
    const { petId, id } = await newOrder()
    const { text } = await end(id)
    await pool.query('delete from pets where id = $1', [petId])
    assert.equal((await get(id)).text, text)
    assert.equal((await end(id)).text, text)
    assertError(await other(id), 409, 'order_closed')
  })

  test(`O19: ${name} of an id that is none, or of no order, is 404`, async () => {
    const { petId, id } = await newOrder()
    for (const wrong of wrongIds(id)) assertError(await end(wrong), 404, 'order_not_found')
    assert.deepEqual(await petRow(pool, petId), { status: 'pending', heldBy: parseOrderId(id)!.id, version: 2 })
  })

  test(`${name} has no body; one that is sent is not read`, async () => {
    for (const body of ['{}', 'not json', 'x'.repeat(100_000)]) {
      const { id } = await newOrder()
      const path = `${ORDERS}/${id}/${name}`
      const answer = await call(path, { method: 'POST', body, headers: { 'content-type': 'text/html' } })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers.get('connection'), 'close')
    }
  })

  test(`${name} does not wait for a body that never comes`, async () => {
    const { id } = await newOrder()
    const connection = await RawConnection.open(address)
    connection.send(
      `POST ${ORDERS}/${id}/${name} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\nContent-Length: 50\r\n\r\n`,
    )
    const [answer] = await connection.answers(1)
    assert.equal(answer?.status, 200)
    connection.socket.destroy()
  })
}

test('O7: of complete and cancel that race over two processes exactly one succeeds', async () => {
  const config = readConfig({ DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent' })
  await using second = await startService(config)
  const other = orderCalls(caller(second.address, key))
  for (let round = 0; round < 30; round++) {
    const { petId, id } = await newOrder()
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
    assert.deepEqual(await petRow(pool, petId), { status: expected, heldBy: null, version: 3 })
  }
  assert.deepEqual(await contradictions(pool), [])
})

test('O19: an id with another length or case, or of no order, is 404', async () => {
  const { id } = await newOrder()
  for (const wrong of wrongIds(id)) assertError(await get(wrong), 404, 'order_not_found')
  const missing = id.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  assert.ok((await get(missing)).text.includes(`No order has the id ${missing}.`))
  assert.ok((await get('7')).text.includes('No order has the id \\"7\\".'))
})

function wrongIds(id: string) {
  const otherLetter = id.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  return [
    otherLetter,
    id.slice(0, -1),
    `${id}A`,
    id.toUpperCase(),
    id.replace('ord_', ''),
    `%20${id}`,
    `${id}%0A`,
    '1',
    '%00',
  ]
}
