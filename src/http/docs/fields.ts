import type { Document, Parameter, SchemaObject } from '../openapi/types.ts'

/** A row of a table: a parameter, or a field of a body at any depth. */
export interface Field {
  /** Including the names of the objects around it: `data.pet.id`. */
  name: string
  type: string
  required: boolean
  description: string
  /** The values that it accepts, and its default. */
  limits: string[]
  values: string[]
  badge: string | undefined
}

export function parameterField(document: Document, { name, required, description, schema, ...rest }: Parameter): Field {
  return { ...describe(document, name, schema, required), description, badge: rest['x-stability'] }
}

/** The fields of an object, or of the objects in an array. Those of a nested object follow it. */
export function fieldsOf(document: Document, schema: SchemaObject, around = ''): Field[] {
  if (schema.items) return fieldsOf(document, schemaOf(document, schema.items), around)
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, property]) => {
    const inner = schemaOf(document, property)
    const path = `${around}${name}`
    return [describe(document, path, property, required.includes(name)), ...fieldsOf(document, inner, `${path}.`)]
  })
}

/** Resolves a schema that is given by its name. */
export function schemaOf({ components }: Document, schema: SchemaObject): SchemaObject {
  return schema.$ref ? (components.schemas[nameOf(schema.$ref)] ?? schema) : schema
}

/** `Pet`, or `array of Pet`. */
export function schemaTitle(document: Document, schema: SchemaObject): string {
  const { items } = schemaOf(document, schema)
  if (items) return `array of ${schemaTitle(document, items)}`
  return schema.$ref ? nameOf(schema.$ref) : 'object'
}

function nameOf(ref: string) {
  return ref.split('/').at(-1) ?? ''
}

function describe(document: Document, name: string, property: SchemaObject, required: boolean): Field {
  const schema = schemaOf(document, property)
  return {
    name,
    type: typeOf(document, schema),
    required,
    description: property.description ?? schema.description ?? '',
    limits: limitsOf(schema),
    values: (schema.enum ?? schema.items?.enum ?? []).map(String),
    badge: property['x-stability'],
  }
}

function typeOf(document: Document, schema: SchemaObject): string {
  const types = [schema.type ?? 'string'].flat()
  const named = types.map((type) => {
    if (type === 'array') return `array of ${typeOf(document, schemaOf(document, schema.items ?? {}))}`
    return schema.format && type !== 'null' ? schema.format : type
  })
  return named.join(' or ')
}

const digits = (value: number) => value.toLocaleString('en')

function limitsOf({ minLength, maxLength, minimum, maximum, maxItems, default: fallback }: SchemaObject): string[] {
  const limits: string[] = []
  if (maxLength !== undefined) limits.push(`${minLength ?? 0} to ${digits(maxLength)} characters`)
  if (maxItems !== undefined) limits.push(`at most ${maxItems}`)
  if (maximum !== undefined) limits.push(`${minimum ?? 0} to ${digits(maximum)}`)
  else if (minimum !== undefined) limits.push(`at least ${minimum}`)
  if (fallback !== undefined) limits.push(`default ${typeof fallback === 'number' ? digits(fallback) : fallback}`)
  return limits
}
