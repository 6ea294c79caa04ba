import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { INT64_MAX, INT64_MIN, int64FromJsonNumber, parseInt64 } from '../../src/lib/int64.ts'

const int64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX })

test('every int64 is read from its canonical text', () => {
  fc.assert(fc.property(int64, (value) => assert.equal(parseInt64(String(value)), value)))
})

for (const text of [
  '',
  ' 1',
  '1 ',
  '+1',
  '-0',
  '00',
  '01',
  '-01',
  '1.0',
  '1e3',
  '0x1',
  '1_000',
  'abc',
  '١',
  '9223372036854775808',
  '-9223372036854775809',
  '9'.repeat(10_000),
]) {
  test(`${JSON.stringify(text.slice(0, 24))} is not a canonical int64`, () => assert.equal(parseInt64(text), undefined))
}

const LITERALS: [string, bigint | undefined][] = [
  ['5', 5n],
  ['-0', 0n],
  ['-0.0', 0n],
  ['5.0', 5n],
  ['5e0', 5n],
  ['5E+2', 500n],
  ['500e-2', 5n],
  ['1.5e1', 15n],
  ['0.00e5', 0n],
  ['9223372036854775807', INT64_MAX],
  ['9223372036854775807.000', INT64_MAX],
  ['9.223372036854775807e18', INT64_MAX],
  ['-9223372036854775808', INT64_MIN],
  ['9223372036854775808', undefined],
  ['-9223372036854775809', undefined],
  ['5.5', undefined],
  ['5e-1', undefined],
  ['1.00000000000000000001', undefined],
  ['1e-400', undefined],
  ['1e400', undefined],
  ['0e65', undefined],
  ['1e999999999', undefined],
  [`0.${'0'.repeat(100)}`, undefined],
  ['9'.repeat(65), undefined],
]
for (const [literal, value] of LITERALS) {
  test(`the JSON number ${literal.slice(0, 30)} is ${value ?? 'rejected'}`, () =>
    assert.equal(int64FromJsonNumber(literal), value))
}

test('an int64 written with any fraction of zeros or exponent is the same int64', () => {
  fc.assert(
    fc.property(int64, fc.nat(18), (value, zeros) => {
      assert.equal(int64FromJsonNumber(`${value}.${'0'.repeat(zeros + 1)}`), value)
      assert.equal(int64FromJsonNumber(`${value}${'0'.repeat(zeros)}e-${zeros}`), value)
    }),
  )
})
