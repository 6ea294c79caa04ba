import type { PetState } from './world.ts'

/** What `If-Match` and `If-None-Match` demand: nothing, any pet, one of these versions; or they are malformed. */
export type Condition = 'none' | 'any' | bigint[] | 'malformed'

const MOST_CHARACTERS = 1_024
const TAG = /^(W\/)?"([!#-~\x80-\xff]*)"$/
const VERSION = /^[1-9][0-9]*$/

export function readCondition(ifMatch: string[], ifNoneMatch: string[]): Condition {
  const condition = readIfMatch(ifMatch)
  // No pet that exists fulfils it.
  if (condition !== 'malformed' && ifNoneMatch.map(trim).join(', ') === '*') return []
  return condition
}

function readIfMatch(values: string[]): Condition {
  if (values.length === 0) return 'none'
  // Several headers are one list.
  const text = values.map(trim).join(', ')
  if (text.length > MOST_CHARACTERS) return 'malformed'
  if (text === '*') return 'any'
  // A list may have empty elements (RFC 9110, 5.6.1).
  const parts = text.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map(trim)
  const tags = parts.filter((part) => part !== '').map((part) => TAG.exec(part))
  if (tags.length === 0 || tags.includes(null)) return 'malformed'
  return tags.flatMap((tag) => {
    const [, weak, content = ''] = tag ?? []
    return weak === undefined && VERSION.test(content) ? [BigInt(content)] : []
  })
}

export function fulfils({ version }: PetState, condition: Condition) {
  return Array.isArray(condition) ? condition.includes(version) : condition !== 'malformed'
}

function trim(text: string) {
  return text.replaceAll(/^[ \t]+|[ \t]+$/g, '')
}
