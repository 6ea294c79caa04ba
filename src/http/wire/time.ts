import { parseMicroseconds, parseTime } from '../../lib/rfc3339.ts'
import { echo } from './echo.ts'
import { RequestError } from './errors.ts'

/** The time that a parameter has, in milliseconds since 1970. `others` are words that it may have instead, as in 'oldest, now or '. */
export function readTime(name: string, text: string, others = '') {
  return parseTime(text) ?? reject(name, text, others)
}

/** In microseconds since 1970, rounded up: as exactly as PostgreSQL stores times. */
export function readMicroseconds(name: string, text: string, others = '') {
  return parseMicroseconds(text) ?? reject(name, text, others)
}

function reject(name: string, text: string, others: string): never {
  // In a query, a + is a space.
  const hint = / \d\d:\d\d$/.test(text) ? '; write the + of its offset as %2B' : ''
  throw new RequestError(
    'invalid_parameter',
    `\`${name}\` must be ${others}a time in RFC 3339, such as 2026-11-16T09:30:00Z; got ${echo(text)}${hint}.`,
  )
}
