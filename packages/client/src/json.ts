import type { components } from './openapi.ts'

export type Pet = components['schemas']['Pet']
export type NewPet = components['schemas']['NewPet']
export type Key = components['schemas']['Key']
export type PetStatus = components['schemas']['PetStatus']

/** The body that adds a pet. Its integer is written by hand, because JSON.stringify knows no bigint. */
export function writeNewPet({ name, categoryId, status }: NewPet) {
  return `{"categoryId":${digits('categoryId', categoryId)},${JSON.stringify({ name, status }).slice(1)}`
}

/** A caller without TypeScript could give a number, which may have lost digits before it came here. */
export function digits(field: string, value: bigint) {
  if (typeof value !== 'bigint') throw new TypeError(`\`${field}\` takes bigint, like 7n.`)
  return String(value)
}

/** JSON with its 64-bit integers as bigint, read from the digits that were sent and never through a double. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (key, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || (key !== 'id' && key !== 'categoryId')) return value
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
