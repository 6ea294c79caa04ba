import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { orderIdText, parseOrderId, placedAtOf } from '../../../src/lib/ids/order-id.ts'

const petId = fc.bigInt({ min: 1n, max: 2n ** 53n - 1n })
const id = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })

test('the text of an order id gives back the pet and the id', () => {
  fc.assert(fc.property(petId, id, (pet, order) => assertSame({ petId: pet, id: order })))
})

test('every other text is no order id, or another one', () => {
  const text = orderIdText({ petId: 7n, id: 42n })
  for (const other of ['', 'ord_', text.slice(0, -1), `${text}A`, ` ${text}`, `${text}\n`, text.toUpperCase(), '7'])
    assert.equal(parseOrderId(other), undefined, other)
  assert.notDeepEqual(parseOrderId(text.replace(/.$/, 'B')), { petId: 7n, id: 42n })
})

test('an order id says when the order was placed', () => {
  assert.equal(placedAtOf((1_794_821_400_123n << 21n) + 5n).toISOString(), '2026-11-16T09:30:00.123Z')
})

function assertSame(key: { petId: bigint; id: bigint }) {
  const text = orderIdText(key)
  assert.match(text, /^ord_[\w-]{20}$/)
  assert.deepEqual(parseOrderId(text), key)
}
