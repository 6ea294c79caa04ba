import type { RequestFact } from './wording.ts'

// Strings are unrolled, so that no text makes the expression try more than one way.
const TOKEN =
  /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing'

/** Where a text that JSON.parse rejects stops being JSON, for a person. V8 does not always say. */
export function jsonFault(text: string): RequestFact {
  if (text.startsWith('\uFEFF'))
    return { kind: 'body', fault: 'is not valid JSON: it begins with a byte order mark; remove it' }
  const at = faultAt(text)
  const column = at - text.lastIndexOf('\n', at - 1)
  return { kind: 'syntax', line: lineOf(text, at), column, isCutOff: at === text.length }
}

function faultAt(text: string) {
  const open: string[] = []
  let expected: Expected | undefined = 'value'
  for (let at = skipSpace(text, 0); ; ) {
    const end = endOfToken(text, at)
    if (end === undefined) return at
    expected = after(text[at] ?? '', expected, open)
    if (expected === undefined) return at
    at = skipSpace(text, end)
  }
}

/** Looks for most tokens by hand: a body may have thirty thousand, and the expression takes several times as long. */
function endOfToken(text: string, at: number) {
  const char = text[at]
  if (char === ',' || char === ':' || char === '{' || char === '}' || char === '[' || char === ']') return at + 1
  if (char !== undefined && char >= '1' && char <= '9') {
    let end = at + 1
    while (isDigit(text[end])) end++
    const next = text[end]
    if (next !== '.' && next !== 'e' && next !== 'E') return end
  }
  TOKEN.lastIndex = at
  return TOKEN.test(text) ? TOKEN.lastIndex : undefined
}

function isDigit(char: string | undefined) {
  return char !== undefined && char >= '0' && char <= '9'
}

/** What may follow a token that begins with this; undefined where the token itself must not be here. */
function after(token: string, expected: Expected, open: string[]): Expected | undefined {
  if (token === '}' || token === ']') {
    const isEnd = expected === 'comma or end' || expected === (token === '}' ? 'key or end' : 'value or end')
    if (!isEnd || open.pop() !== token) return undefined
    return open.length === 0 ? 'nothing' : 'comma or end'
  }
  if (token === ',') return expected === 'comma or end' ? (open.at(-1) === '}' ? 'key' : 'value') : undefined
  if (token === ':') return expected === 'colon' ? 'value' : undefined
  if (expected === 'key' || expected === 'key or end') return token === '"' ? 'colon' : undefined
  if (expected !== 'value' && expected !== 'value or end') return undefined
  if (token === '{' || token === '[') {
    open.push(token === '{' ? '}' : ']')
    return token === '{' ? 'key or end' : 'value or end'
  }
  return open.length === 0 ? 'nothing' : 'comma or end'
}

function skipSpace(text: string, from: number) {
  let at = from
  while (isSpace(text[at])) at++
  return at
}

function isSpace(char: string | undefined) {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t'
}

function lineOf(text: string, at: number) {
  let line = 1
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line++
  return line
}
