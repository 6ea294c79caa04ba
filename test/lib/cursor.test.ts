import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeCursor, encodeCursor } from '../../src/lib/cursor.ts'

test('a cursor gives back the id it was made from', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (id) =>
      assert.equal(decodeCursor(encodeCursor(id)), id),
    ),
  )
})

test('no other text is a cursor', () => {
  const made = encodeCursor(42n)
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(decodeCursor(text) === undefined || encodeCursor(decodeCursor(text)!) !== text)
      assert.equal(decodeCursor(text), undefined)
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
    assert.equal(decodeCursor(text), undefined, text)
})
