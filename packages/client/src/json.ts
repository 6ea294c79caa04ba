import { type components, INT64_FIELDS } from './openapi.ts'

export type Pet = components['schemas']['Pet']
export type NewPet = components['schemas']['NewPet']
export type Key = components['schemas']['Key']
export type PetStatus = components['schemas']['PetStatus']
export type DeprecatedUse = components['schemas']['DeprecatedUse']

/** The body that adds a pet. Its integer is written by hand, because JSON.stringify knows no bigint. */
export function writeNewPet({ name, categoryId, status }: NewPet) {
  if (typeof name !== 'string') throw new TypeError('`name` is required: a string.')
  return `{"categoryId":${digits('categoryId', categoryId)},${JSON.stringify({ name, status }).slice(1)}`
}

/** A caller without TypeScript could pass a number, which may have lost digits before it came here. */
export function digits(field: string, value: bigint) {
  if (typeof value !== 'bigint') throw new TypeError(`\`${field}\` takes bigint, like 7n.`)
  return String(value)
}

/** JSON as `JSON.stringify` writes it, with every `bigint` as the bare integer that it is: `{"id":9223372036854775807}`. */
export function stringify(value: unknown, space?: string | number): string {
  const exact = (_key: string, item: unknown) => (typeof item === 'bigint' ? raw.rawJSON(String(item)) : item)
  return JSON.stringify(value, exact, space)
}

// TypeScript does not know it yet. The engines that have it are those in which `parse` works.
const raw = JSON as unknown as { rawJSON(text: string): unknown }

/** What `stringify` wrote, and what the service sends: 64-bit integers are read as `bigint`, and never through a double. */
export function parse(text: string): unknown {
  return JSON.parse(text, (key, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || !INT64_FIELDS.has(key)) return value
    if (context?.source === undefined)
      throw new TypeError('This JavaScript engine cannot read 64-bit integers exactly.')
    return BigInt(context.source)
  })
}

export function isPet(value: unknown): value is Pet {
  return (
    isObject(value) &&
    typeof value['id'] === 'bigint' &&
    typeof value['name'] === 'string' &&
    typeof value['categoryId'] === 'bigint'
  )
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
