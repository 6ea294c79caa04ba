import type { TSchema } from 'typebox'
import { idOf } from '../wire/schemas.ts'
import type { SchemaObject } from './types.ts'

// Our own keywords, which mean nothing to a reader of the document.
const INTERNAL = new Set(['$id', 'visibleText', 'errorCode'])

/** The schema that the document shows: without our own keywords, and with references into the document. */
export function publishedSchema(schema: TSchema): SchemaObject {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (INTERNAL.has(key)) return undefined
    return key === '$ref' ? `#/components/schemas/${String(value)}` : value
  }) as SchemaObject
}

/** A shared schema by reference, any other as it is. */
export function schemaOrRef(schema: TSchema): SchemaObject {
  const id = idOf(schema)
  return id === undefined ? publishedSchema(schema) : { $ref: `#/components/schemas/${id}` }
}

export function asExamples(values: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))
}
