export const INT64_MIN = -(2n ** 63n)
export const INT64_MAX = 2n ** 63n - 1n

const CANONICAL = /^(?:0|-?[1-9][0-9]{0,18})$/
const JSON_NUMBER = /^(?<sign>-?)(?<whole>[0-9]+)(?:\.(?<fraction>[0-9]+))?(?:[eE](?<exponent>[+-]?[0-9]+))?$/

const MAX_LITERAL_LENGTH = 64
const MAX_EXPONENT = 64

/** Parses an int64 in its canonical form: no plus sign, no leading zero, no space. */
export function parseInt64(text: string): bigint | undefined {
  return CANONICAL.test(text) ? inRange(BigInt(text)) : undefined
}

/**
 * The exact value of a JSON number (`5`, `5.0`, `5e2`), if it is an int64.
 * Absurd literals are rejected before they are expanded: `1e999999999` must not cost a gigabyte.
 */
export function int64FromJsonNumber(literal: string): bigint | undefined {
  if (literal.length > MAX_LITERAL_LENGTH) return undefined
  const { sign = '', whole = '', fraction = '', exponent = '0' } = JSON_NUMBER.exec(literal)?.groups ?? {}
  const power = Number(exponent)
  if (Math.abs(power) > MAX_EXPONENT) return undefined

  const digits = whole + fraction
  const shift = power - fraction.length
  if (shift >= 0) return inRange(BigInt(sign + digits + '0'.repeat(shift)))
  if (/[1-9]/.test(digits.slice(shift))) return undefined
  return inRange(BigInt(`${sign}0${digits.slice(0, shift)}`))
}

function inRange(value: bigint) {
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined
}
