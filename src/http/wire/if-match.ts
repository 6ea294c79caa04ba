import type { IncomingMessage } from 'node:http'
import { echo, MAX_ECHO } from './echo.ts'
import { RequestError } from './errors.ts'

const MAX_LENGTH = 1_024
// An entity tag, and a list of them in which elements may be empty (RFC 9110, 8.8.3 and 5.6.1).
const TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"'
const TAGS = new RegExp(`^[ \\t,]*${TAG}(?:[ \\t]*(?:,[ \\t]*)+${TAG})*[ \\t,]*$`)
const VERSION = /^"([1-9]\d{0,18})"$/

// Shells remove quotes, and some clients forget them.
const UNQUOTED = /^\d+(?:, *\d+)*$/

const ONLY_MATCH = 'Send the versions that the request is for in `If-Match`.'

export const MALFORMED_IF_MATCH = malformed('3')

/**
 * The versions for which the client wants the request carried out: any, or one of these; `none` if there must be nothing to change;
 * undefined if it has not said. A tag that no version has, for example a weak one, matches none.
 */
export function readCondition({ headers }: Pick<IncomingMessage, 'headers'>): '*' | 'none' | bigint[] | undefined {
  const header = headers['if-match']
  const versions = header === undefined ? undefined : readVersions(header)
  return isForNone(headers['if-none-match']) ? 'none' : versions
}

function isForNone(header: string | undefined) {
  if (header !== undefined && header !== '*')
    throw new RequestError(
      'invalid_parameter',
      `\`If-None-Match\` must be *, or absent; got ${echo(header)}. ${ONLY_MATCH}`,
    )
  return header === '*'
}

function readVersions(header: string) {
  if (header === '*') return header
  if (header.length > MAX_LENGTH || !TAGS.test(header)) throw new RequestError('invalid_parameter', malformed(header))
  const tags = header.match(new RegExp(TAG, 'g')) ?? []
  return tags.flatMap((tag) => VERSION.exec(tag)?.[1] ?? []).map(BigInt)
}

function malformed(header: string) {
  const rule =
    '`If-Match` must be * or versions in double quotes, such as "3" or "3", "4", in at most 1,024 characters; got '
  if (header.length > MAX_ECHO || !UNQUOTED.test(header)) return `${rule}${echo(header)}.`
  return `${rule}${header}. Did you mean ${header.replaceAll(/\d+/g, '"$&"')}, with the quotes?`
}
