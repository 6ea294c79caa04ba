import fc from 'fast-check'
import type { Request } from '../request.ts'
import { GOOD_KEY, type Header } from './headers.ts'

/** A tool as `tools/list` declares it. */
export interface Tool {
  name: string
  inputSchema: { properties: Record<string, Schema>; required?: string[] }
}

interface Schema {
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  maximum?: number
}

const MODERN = '2026-07-28'
const META = 'io.modelcontextprotocol'
const JSON_BODY: Header = ['Content-Type', 'application/json']
// Short of the 65,536 bytes of the contract, so that all of it is read.
const BODY_BYTES = 64_000

/** Names that are as long as text becomes when it is escaped: their characters are invisible, or JSON needs more for each. */
export const HOSTILE_NAMES = [
  `${'\u{E0041}'.repeat(254)}a`,
  `${'\u{E0041}a'.repeat(127)}a`,
  `a${Array.from({ length: 240 }, (_, i) => String.fromCodePoint(0xe_01_00 + i)).join('')}`,
  '\\'.repeat(255),
]

const hostileName = fc.constantFrom(...HOSTILE_NAMES)
const longText = fc
  .constantFrom('a', '9', '\\', '"', 'é', '\u0301', '🐢', '\u{E0041}', '\ud83d')
  .map((unit) => unit.repeat(BODY_BYTES / (bytesOf(unit) - 2)))
const longArray = fc
  .constantFrom<unknown>('9223372036854775807', 'pet.created', 1, null, [], {}, [[]])
  .map((item) => Array.from({ length: BODY_BYTES / (bytesOf(item) + 1) }, () => item))
const manyNames = fc.constant(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`x${i}`, i])))
const nested = fc.constantFrom(25, 2_000).map((depth) => {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
})
const hostile = fc.oneof(hostileName, longText, longArray, manyNames, nested)

/** Names that categories have while tools are called, spelled as a model may. */
export const CATEGORY_NAMES = ['Fuzzed dog', 'Fuzzed cat', 'Größe der Tiere']
const categoryName = fc.constantFrom(...CATEGORY_NAMES, 'fuzzed DOG', 'Grosse der Tiere', 'fuzzed')

/** Mostly what the schema allows, as much of it as it allows. */
function valueFor({ type, enum: words, anyOf, items, maximum = 1 }: Schema): fc.Arbitrary<unknown> {
  if (words) return fc.constantFrom(...words)
  if (anyOf) return fc.oneof(...anyOf.map(valueFor))
  if (type === 'array') return fc.array(valueFor(items ?? {}), { minLength: 1, maxLength: 100 })
  if (type === 'integer') return fc.constantFrom(1, maximum)
  return fc.oneof(fc.constantFrom('1', '9223372036854775807', 'now', 'a'), hostileName)
}

function argumentsFor({ inputSchema: { properties, required = [] } }: Tool) {
  const names = Object.keys(properties)
  const sound = Object.entries(properties).map(
    ([name, schema]) =>
      [name, name === 'category' ? fc.oneof(categoryName, valueFor(schema)) : valueFor(schema)] as const,
  )
  return fc
    .tuple(
      fc.record(Object.fromEntries(sound), { requiredKeys: required, noNullPrototype: true }),
      fc.option(fc.tuple(fc.constantFrom(...names, 'x'), hostile)),
    )
    .map(([given, other]) => (other ? { ...given, [other[0]]: other[1] } : given))
}

/** A call of one of the tools, by either revision, or many in a batch. */
export function anyToolCall(tools: readonly Tool[]): fc.Arbitrary<Request> {
  const call = fc
    .constantFrom(...tools)
    .chain((tool) => argumentsFor(tool).map((given) => ({ name: tool.name, arguments: given })))
  return fc.tuple(call, fc.constantFrom('modern', 'modern', 'legacy', 'batch')).map(([params, form]) => {
    const isModern = form === 'modern'
    const _meta = isModern && { _meta: { [`${META}/protocolVersion`]: MODERN, [`${META}/clientCapabilities`]: {} } }
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, ..._meta } })
    const times = Math.max(1, Math.floor(BODY_BYTES / (Buffer.byteLength(message) + 1)))
    const body = form === 'batch' ? `[${Array.from({ length: times }, () => message).join()}]` : message
    return toolRequest(params.name, body, isModern)
  })
}

/** The name comes first in the headers, where it also makes what each tool costs a kind of its own. */
function toolRequest(name: string, body: string, isModern: boolean): Request {
  const modern: Header[] = [
    ['Mcp-Method', 'tools/call'],
    ['Mcp-Protocol-Version', MODERN],
  ]
  return {
    method: 'POST',
    target: '/v1/mcp',
    version: '1.1',
    headers: [['Mcp-Name', name], ['Host', 'x'], ...GOOD_KEY, JSON_BODY, ...(isModern ? modern : [])],
    body: Buffer.from(body).toString('latin1'),
  }
}

/** As JSON. */
function bytesOf(value: unknown) {
  return Buffer.byteLength(JSON.stringify(value))
}
