import { isUtf8 } from 'node:buffer'
import { int64FromJsonNumber } from '../lib/int64.ts'
import { Refusal } from './errors.ts'

const MAX_DEPTH = 32
// Up to this many digits every integer is exact as a double, so JSON.parse may be left to read it.
const EXACT_DIGITS = 15

/** A number that is not an int64, as it was written. */
export class NumberLiteral {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

interface ReviverContext {
  source?: string
}

/**
 * Reads a body as JSON and keeps what JSON.parse loses: the digits of large numbers, duplicate keys, depth.
 * V8 judges the grammar; one scan outside of strings judges the rest. An integer comes out as a `number` only where a
 * double holds it exactly, else as a `bigint`; any other number that a double might round as a `NumberLiteral`.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw new Refusal('invalid_json', 'The body is empty; it must be a JSON object.')
  if (!isUtf8(body)) throw new Refusal('invalid_json', 'The body is not valid UTF-8.')
  const text = body.toString('utf8')
  const { colons, needsDigits } = scan(text)
  const value = parse(text, needsDigits)
  // Each colon outside of strings brings one key; keys that got lost were duplicates.
  if (countKeys(value) !== colons) throw new Refusal('invalid_json', 'The body names the same key twice in one object.')
  return value
}

function parse(text: string, needsDigits: boolean): unknown {
  try {
    return JSON.parse(text, needsDigits ? exactNumbers : undefined) as unknown
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const hint = text.charCodeAt(0) === 0xfeff ? ' It begins with a byte order mark; leave that out.' : ''
    throw new Refusal('invalid_json', `The body is not valid JSON.${hint}`)
  }
}

function exactNumbers(_key: string, value: unknown, { source }: ReviverContext = {}) {
  if (typeof value !== 'number' || source === undefined) return value
  return int64FromJsonNumber(source) ?? new NumberLiteral(source)
}

function scan(text: string) {
  let depth = 0
  let colons = 0
  let digits = 0
  let needsDigits = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char !== undefined && char >= '0' && char <= '9') {
      if (++digits > EXACT_DIGITS) needsDigits = true
      continue
    }
    if (char === '"') i = endOfString(text, i)
    else if (char === ':') colons++
    else if (char === '{' || char === '[') {
      if (++depth > MAX_DEPTH)
        throw new Refusal('invalid_json', `The body is nested more than ${MAX_DEPTH} levels deep.`)
    } else if (char === '}' || char === ']') depth--
    // Behind a digit, these make a fraction or an exponent; elsewhere they belong to true and false.
    else if (digits > 0 && (char === '.' || char === 'e' || char === 'E')) needsDigits = true
    digits = 0
  }
  return { colons, needsDigits }
}

function endOfString(text: string, start: number) {
  for (let i = start + 1; i < text.length; i++) {
    const char = text[i]
    if (char === '\\') i++
    else if (char === '"') return i
  }
  return text.length
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof NumberLiteral) return 0
  const children = Object.values(value)
  return children.reduce<number>((sum, child) => sum + countKeys(child), Array.isArray(value) ? 0 : children.length)
}
