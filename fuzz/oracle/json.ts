/** A number as it was written: what it is worth is asked later, and only where it matters. */
export class Literal {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Json = null | boolean | string | Literal | Json[] | Map<string, Json>

const MAX_DEPTH = 32
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
// Any character from the space on but a quote and a backslash; or an escape.
const STRING = /"((?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"/y
const SPACE = /[ \t\n\r]*/y
const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const WORDS = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/**
 * What these bytes say as JSON, by RFC 8259 and the contract; undefined when they are not JSON to it. Written from the
 * grammar, without JSON.parse, so that it can't share a mistake with the service.
 */
export function readJson(bytes: Buffer): Json | undefined {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
  try {
    return new Reader(text).document()
  } catch (error) {
    if (error instanceof NotJson) return undefined
    throw error
  }
}

class NotJson extends Error {}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document() {
    const value = this.#value(1)
    if (this.#at < this.#text.length) throw new NotJson()
    return value
  }

  #value(depth: number): Json {
    this.#match(SPACE)
    const value = this.#bare(depth)
    this.#match(SPACE)
    return value
  }

  #bare(depth: number): Json {
    const first = this.#text[this.#at]
    if (first === '{') return this.#object(depth)
    if (first === '[') return this.#array(depth)
    if (first === '"') return this.#string()
    for (const [word, value] of WORDS) if (this.#take(word)) return value
    const number = this.#match(NUMBER)
    if (!number) throw new NotJson()
    return new Literal(number[0])
  }

  #object(depth: number) {
    const members = new Map<string, Json>()
    this.#open('{', depth)
    if (this.#take('}')) return members
    do {
      this.#match(SPACE)
      const key = this.#string()
      this.#match(SPACE)
      if (members.has(key) || !this.#take(':')) throw new NotJson()
      members.set(key, this.#value(depth + 1))
    } while (this.#take(','))
    if (!this.#take('}')) throw new NotJson()
    return members
  }

  #array(depth: number) {
    const items: Json[] = []
    this.#open('[', depth)
    if (this.#take(']')) return items
    do items.push(this.#value(depth + 1))
    while (this.#take(','))
    if (!this.#take(']')) throw new NotJson()
    return items
  }

  #open(bracket: string, depth: number) {
    if (depth > MAX_DEPTH || !this.#take(bracket)) throw new NotJson()
    this.#match(SPACE)
  }

  #string() {
    const match = this.#match(STRING)
    if (!match) throw new NotJson()
    return (match[1] ?? '').replaceAll(/\\(u(....)|.)/g, (_, char: string, hex?: string) =>
      hex === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }

  #take(word: string) {
    if (!this.#text.startsWith(word, this.#at)) return false
    this.#at += word.length
    return true
  }

  #match(pattern: RegExp) {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match) this.#at = pattern.lastIndex
    return match
  }
}
