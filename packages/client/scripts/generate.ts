import { readFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

// Prints what the client takes from a document, openapi.json of this repository unless another is named: its types, the known error
// codes, and which fields are int64.
interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  examples?: string[]
}

const [, , document = new URL('../../../openapi.json', import.meta.url)] = process.argv
const text = await readFile(document, 'utf8')
const { components } = JSON.parse(text) as { components: { schemas: Record<string, Schema> } }
const types = await openapiTS(text, {
  // A field with a default may be left out of a request.
  defaultNonNullable: false,
  // An int64 doesn't fit into a number, so it is a bigint everywhere.
  transform: ({ format }) =>
    format === 'int64' ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword) : undefined,
})

process.stdout.write(`// Generated from openapi.json by \`npm run generate\`; not written by hand.

${astToString(types)}
/** The codes that the service is known to return. */
export type KnownErrorCode = ${(components.schemas['Error']?.properties?.['code']?.examples ?? []).map((code) => `'${code}'`).join(' | ')};

/** The fields of each schema, and of what it contains, that are 64-bit integers. */
export const INT64 = {
${int64Fields()}} as const;
`)

function int64Fields() {
  return Object.entries(components.schemas)
    .map(([schema, { type }]) => ({ schema, type, names: int64In(schema) }))
    .filter(({ type, names }) => type === 'object' && names.length > 0)
    .map(({ schema, names }) => `  ${schema}: [${names.map((name) => `'${name}'`).join(', ')}],\n`)
    .join('')
}

/** The client knows them by name within a schema, so there a name must not also be another number. */
function int64In(schema: string) {
  const numbers = numbersIn('', { $ref: `#/components/schemas/${schema}` })
  const names = new Set(numbers.filter(([, { format }]) => format === 'int64').map(([name]) => name))
  const ambiguous = numbers.find(([name, { format }]) => names.has(name) && format !== 'int64')
  if (ambiguous) throw new Error(`\`${ambiguous[0]}\` of ${schema} is both an int64 and another number.`)
  if (names.has('')) throw new Error(`${schema} contains an int64 without a name.`)
  return [...names]
}

/** Every number in a value of this schema, with the name of its field; an item of a list has none. */
function numbersIn(name: string, { $ref, ...schema }: Schema): [name: string, schema: Schema][] {
  const { type = [], properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = schema
  const isNumber = ['integer', 'number'].some((number) => [type].flat().includes(number))
  return [
    ...(isNumber ? [[name, schema] as [string, Schema]] : []),
    ...($ref ? numbersIn(name, components.schemas[$ref.replace('#/components/schemas/', '')] ?? {}) : []),
    ...Object.entries(properties).flatMap((property) => numbersIn(...property)),
    ...(items ? numbersIn('', items) : []),
    ...[...allOf, ...anyOf, ...oneOf].flatMap((part) => numbersIn(name, part)),
  ]
}
