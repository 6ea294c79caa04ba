import fc from 'fast-check'
import { oneOfWords } from './words.ts'

const POWERS = [0n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n, 2n ** 64n]

/** Integers on and around the points where representations end. */
const lattice = fc
  .tuple(fc.constantFrom(...POWERS), fc.integer({ min: -2, max: 2 }), fc.boolean())
  .map(([power, step, negative]) => String((negative ? -power : power) + BigInt(step)))

const anyInt64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)

/** The same integers as JSON may also write them, and some that are none any more. */
const respelled = fc
  .tuple(fc.oneof(lattice, anyInt64), oneOfWords('.0 .000 e0 E+0 e-0 0e-1 .0e0 .5 e1 e-1'))
  .map((parts) => parts.join(''))

const odd = fc.oneof(
  oneOfWords('-0 -0.0 0e64 0e65 0e-65 1.0 1e3 1e18 1e19 -9.223372036854775808e18 1e400 -1e400 1e64 1e65 0.1e1 1.5'),
  oneOfWords('5e-1 1e-400 100e-2 1e00000003 9223372036854775807.5 1e999999999 1e-999999999 123456789012345.0'),
  fc.constantFrom(`1${'0'.repeat(63)}e-63`, '9'.repeat(65), `1.${'0'.repeat(62)}`, `1.${'0'.repeat(63)}`),
)

/** Values of other types, and what only looks like a number. */
const notNumbers = oneOfWords(
  `"1" "9223372036854775807" true null [] [1] {} "" {"a":1}
   01 -01 +1 .5 1. 0x10 NaN Infinity - 1e --1 1_000 1n １`,
)

export const goodNumber = fc.oneof(
  { weight: 4, arbitrary: fc.integer().map(String) },
  { weight: 2, arbitrary: anyInt64 },
  { weight: 1, arbitrary: oneOfWords('9223372036854775807 -9223372036854775808 9007199254740993') },
)

/** JSON text in the place of an int64: mostly near the edge of what is taken. */
export const numberText = fc.oneof(lattice, anyInt64, respelled, odd, notNumbers, fc.double().map(String))
