import { isUtf8 } from 'node:buffer'
import { RequestError } from './errors.ts'
import { jsonFault } from './json-fault.ts'
import { NumberLiteral } from './number-literal.ts'

const MAX_DEPTH = 32
// Up to this many digits every integer is exact as a double, so JSON.parse may be left to read it.
const EXACT_DIGITS = 15

/**
 * Reads a body as JSON and keeps what JSON.parse loses: the digits of large numbers, duplicate keys, depth.
 * V8 judges the grammar; one scan outside of strings judges the rest. A number that a double might round arrives as a
 * `NumberLiteral` if it is the body, or one of these fields of it: a body has room for thirty thousand others that are never read.
 */
export function parseJson(body: Buffer, fields: readonly string[]): unknown {
  if (body.length === 0) throw invalid('is empty; it must be a JSON object')
  if (!isUtf8(body)) throw invalid('is not valid UTF-8')
  const text = body.toString('utf8')
  const { colons, literals } = scan(text)
  const value = parse(text)
  // Each colon outside of strings brings one key; keys that got lost were duplicates.
  if (colons > 0 && countKeys(value, colons) < colons) throw invalid('contains the same key twice in one object')
  return literals.length === 0 ? value : withLiterals(value, text, literals, fields)
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new RequestError('invalid_json', jsonFault(text))
  }
}

/** Where a number is in the text, and the string before it: its key, if the body is an object. */
interface Literal {
  keyAt: number
  keyEnd: number
  start: number
  end: number
}

function withLiterals(value: unknown, text: string, literals: Literal[], fields: readonly string[]) {
  const sourceOf = ({ start, end }: Literal) => new NumberLiteral(text.slice(start, end))
  if (typeof value !== 'object') return literals[0] && sourceOf(literals[0])
  const object = value as Record<string, unknown>
  for (const name of fields) {
    // Few bodies have any number here, and fewer spell its name in escapes.
    if (!Object.hasOwn(object, name) || typeof object[name] !== 'number') continue
    const literal = literals.find(({ keyAt, keyEnd }) => isKey(name, text, keyAt, keyEnd))
    if (literal) object[name] = sourceOf(literal)
  }
  return value
}

function isKey(name: string, text: string, keyAt: number, keyEnd: number) {
  const length = keyEnd - keyAt - '""'.length
  if (length === name.length) return text.startsWith(name, keyAt + 1)
  // Escaped, one character takes two to six.
  if (length < name.length || length > 6 * name.length) return false
  return JSON.parse(text.slice(keyAt, keyEnd)) === name
}

function scan(text: string) {
  const literals: Literal[] = []
  let depth = 0
  let colons = 0
  let keyAt = 0
  let keyEnd = 0
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    if (char === '"') {
      if (depth === 1) keyAt = i
      i = endOfString(text, i)
      if (depth === 1) keyEnd = i + 1
    } else if (char === ':') colons++
    else if (char === '{' || char === '[') {
      if (++depth > MAX_DEPTH) throw invalid(`is nested more than ${MAX_DEPTH} levels deep`)
    } else if (char === '}' || char === ']') depth--
    else if (char === '-' || (char >= '0' && char <= '9')) {
      const start = i
      i = endOfNumber(text, i)
      if (depth <= 1 && isInexact(text, start, i + 1)) literals.push({ keyAt, keyEnd, start, end: i + 1 })
    }
  }
  return { colons, literals }
}

/** Where the string that begins here has its closing quote. */
function endOfString(text: string, start: number) {
  for (let i = start + 1; i < text.length; i++) {
    const char = text[i]
    if (char === '\\') i++
    else if (char === '"') return i
  }
  return text.length
}

/** Where the number that begins here has its last character. */
function endOfNumber(text: string, start: number) {
  let end = start
  while (isPartOfNumber(text[end + 1])) end++
  return end
}

function isPartOfNumber(char: string | undefined) {
  if (char === undefined) return false
  return (char >= '0' && char <= '9') || char === '.' || char === 'e' || char === 'E' || char === '+' || char === '-'
}

function isInexact(text: string, start: number, end: number) {
  const digits = end - start - (text[start] === '-' ? 1 : 0)
  if (digits > EXACT_DIGITS) return true
  for (let i = start; i < end; i++) if (text[i] === '.' || text[i] === 'e' || text[i] === 'E') return true
  return false
}

/** How many keys the objects in there have. Stops at `most`, which is often before it has seen everything. */
function countKeys(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 0
  let keys = Array.isArray(value) ? 0 : Object.keys(value).length
  if (keys >= most) return keys
  const children: unknown[] = Array.isArray(value) ? value : Object.values(value)
  for (let i = 0; i < children.length && keys < most; i++) {
    keys += countKeys(children[i], most - keys)
  }
  return keys
}

function invalid(fault: string) {
  return new RequestError('invalid_json', { kind: 'body', fault })
}

/** The fields of a body whose numbers must keep all of their digits. */
export function fieldNames({ properties = {} }: { properties?: object }) {
  return Object.keys(properties)
}
