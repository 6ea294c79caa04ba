import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeCursor, encodeCursor } from '../../src/http/wire/cursor.ts'

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

test('a cursor gives back the ids it was made from', () => {
  fc.assert(
    fc.property(fc.array(int64, { minLength: 1, maxLength: 2 }), (ids) =>
      assert.deepEqual(decodeCursor('oldest', encodeCursor('oldest', ...ids), ids.length), ids),
    ),
  )
})

test('a cursor of another walk, or with another number of ids, is not one', () => {
  assert.equal(decodeCursor('newest', encodeCursor('oldest', 42n), 1), undefined)
  assert.equal(decodeCursor('oldest', encodeCursor('newest', 42n), 1), undefined)
  assert.equal(decodeCursor('orders', encodeCursor('orders', 42n), 2), undefined)
})

test('no other text is a cursor', () => {
  const made = encodeCursor('oldest', 42n)
  const decode = (text: string) => decodeCursor('oldest', text, 1)
  fc.assert(
    fc.property(fc.string(), (text) => {
      const ids = decode(text)
      fc.pre(ids === undefined || encodeCursor('oldest', ...ids) !== text)
      assert.equal(ids, undefined)
    }),
  )
  for (const text of [
    '',
    made.slice(1),
    `${made}A`,
    `${made}=`,
    ` ${made}`,
    `${made}\n`,
    made.replace('A', 'C'),
    '1',
    'null',
  ])
    assert.equal(decode(text), undefined, text)
})
