import { NumberLiteral } from './json.ts'

const MAX_ECHO = 64
const CREDENTIAL = /petk_/i

/** How a message repeats what was sent: short, quoted, on one line, and never a credential. */
export function echo(value: unknown): string {
  if (typeof value === 'string') {
    if (CREDENTIAL.test(value)) return 'text that looks like a credential'
    // Cut between characters, not inside one.
    const characters = Array.from(value.slice(0, 2 * MAX_ECHO + 2))
    const shown = JSON.stringify(characters.slice(0, MAX_ECHO).join(''))
    return characters.length > MAX_ECHO ? `${shown}…` : shown
  }
  if (value instanceof NumberLiteral)
    return value.source.length > MAX_ECHO ? `${value.source.slice(0, MAX_ECHO)}…` : value.source
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}
