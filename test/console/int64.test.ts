import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readIds, readInt64 } from '../../packages/console/src/int64.ts'

test('every digit of a 64-bit integer is kept', () => {
  for (const value of [0n, -1n, 9007199254740993n, 9223372036854775807n, -9223372036854775808n])
    assert.equal(readInt64(String(value)), value)
})

test('white space, a plus and typographic minus signs are understood', () => {
  for (const [text, value] of [
    [' 9 223 372 036 854 775 807 ', 9223372036854775807n],
    ['+7', 7n],
    ['−5', -5n],
    ['–5', -5n],
    ['007', 7n],
  ] as const)
    assert.equal(readInt64(text), value, text)
})

test('what is no 64-bit integer says why, and a point or comma is never dropped', () => {
  for (const [text, fault] of [
    ['', 'missing'],
    ['  ', 'missing'],
    ['1.5', 'malformed'],
    ['1,5', 'malformed'],
    ['1e3', 'malformed'],
    ['0x10', 'malformed'],
    ['--1', 'malformed'],
    ['seven', 'malformed'],
    ['9223372036854775808', 'outOfRange'],
    ['-9223372036854775809', 'outOfRange'],
  ] as const)
    assert.equal(readInt64(text), fault, text)
})

test('ids are separated by commas, spaces or line breaks, and each counts once', () => {
  assert.deepEqual(readIds('1, 2\n3\t9007199254740993 ,,2'), [1n, 2n, 3n, 9007199254740993n])
  assert.equal(readIds(' ,\n'), 'missing')
  assert.equal(readIds('1, x'), 'malformed')
  assert.equal(readIds('1 9223372036854775808'), 'outOfRange')
})
