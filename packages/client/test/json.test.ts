import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse, stringify } from '../src/index.ts'

test('integers with the name of a 64-bit one are bigint, digit for digit', () => {
  const text = '{"id":9223372036854775807,"version":1,"categoryId":-9223372036854775808,"age":3}'
  assert.deepEqual(parse(text), {
    id: 9_223_372_036_854_775_807n,
    version: 1n,
    categoryId: -9_223_372_036_854_775_808n,
    age: 3,
  })
  assert.equal(stringify(parse(text)), text)
})

test('a number of another program that has such a name but is no integer stays a number', () => {
  for (const [text, value] of [
    ['{"version":1.5}', 1.5],
    ['{"version":-0.25}', -0.25],
    ['{"version":1e3}', 1_000],
    ['{"version":1E-2}', 0.01],
    ['{"version":1.0}', 1],
  ] as const)
    assert.deepEqual(parse(text), { version: value })
  assert.deepEqual(parse('{"version":"1.5","id":null}'), { version: '1.5', id: null })
})
