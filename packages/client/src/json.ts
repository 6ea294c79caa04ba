import { INT64 } from './openapi.ts'

/** A caller without TypeScript could pass a number, which may have lost digits before it came here. */
export function digits(field: string, value: bigint) {
  if (typeof value !== 'bigint') throw new TypeError(`\`${field}\` takes bigint, like 7n.`)
  return String(value)
}

/** JSON as `JSON.stringify` writes it, with every `bigint` as the bare integer that it is: `{"id":9223372036854775807}`. */
export function stringify(value: unknown, space?: string | number): string {
  checkRuntime()
  const exact = (_key: string, item: unknown) => (typeof item === 'bigint' ? raw.rawJSON(String(item)) : item)
  return JSON.stringify(value, exact, space)
}

// TypeScript does not know it yet. The engines that have it are those in which `parse` works.
const raw = JSON as unknown as { rawJSON(text: string): unknown }

/** Without it, ids could not be read or written exactly. */
export function checkRuntime() {
  if (!('rawJSON' in JSON)) throw new TypeError(TOO_OLD)
}

const TOO_OLD =
  'This JavaScript runtime is too old for 64-bit ids: @petstore/client needs Node 22, Chromium 116, Firefox 135 or Safari 18.4, or newer.'

const ALL_INT64 = Object.values(INT64).flat()

/** What `stringify` wrote, and what the service sends: integers with the name of a 64-bit one are read as `bigint`, and never through a double. */
export function parse(text: string): unknown {
  return readJson(text, ALL_INT64)
}

/** JSON in which these fields are 64-bit integers. */
export function readJson(text: string, int64: readonly string[]): unknown {
  return JSON.parse(text, (key, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || !int64.includes(key)) return value
    if (context?.source === undefined) throw new TypeError(TOO_OLD)
    // A number of another program may have the name of an id.
    return /^-?\d+$/.test(context.source) ? BigInt(context.source) : value
  })
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
