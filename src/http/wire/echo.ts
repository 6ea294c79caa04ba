import { LOOKS_LIKE_KEY } from '../../lib/ids/key-format.ts'
import { NumberLiteral } from './number-literal.ts'

export const MAX_ECHO = 64

/** How a message repeats what was sent: short, quoted, on one line, and never a credential. */
export function echo(value: unknown, most = MAX_ECHO): string {
  if (typeof value === 'string') {
    if (LOOKS_LIKE_KEY.test(value) || value.includes('whsec_')) return 'text that looks like a credential'
    // Cut between characters, not inside one.
    const characters = Array.from(value.slice(0, 2 * most + 2))
    const shown = JSON.stringify(characters.slice(0, most).join(''))
    return characters.length > most ? `${shown}…` : shown
  }
  if (value instanceof NumberLiteral)
    return value.source.length > most ? `${value.source.slice(0, most)}…` : value.source
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}
