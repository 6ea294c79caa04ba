import { readFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

// Prints what the client takes from the service's document: its types, the known error codes, and which fields are int64.
interface Schema {
  type?: string
  format?: string
  properties?: Record<string, Schema>
  examples?: string[]
}

const text = await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8')
const { components } = JSON.parse(text) as { components: { schemas: Record<string, Schema> } }
const types = await openapiTS(text, {
  // An int64 doesn't fit into a number, so it is a bigint everywhere.
  transform: ({ format }) =>
    format === 'int64' ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword) : undefined,
})

process.stdout.write(`// Generated from openapi.json by \`npm run generate\`; not written by hand.

${astToString(types)}
/** The codes that the service is known to return. */
export type KnownErrorCode = ${(components.schemas['Error']?.properties?.['code']?.examples ?? []).map((code) => `'${code}'`).join(' | ')};

/** The fields that are 64-bit integers, in whichever object. */
export const INT64_FIELDS: ReadonlySet<string> = new Set([${int64Fields()
  .map((name) => `'${name}'`)
  .join(', ')}]);
`)

/** The client reads these by name alone, so a name must not be an int64 in one object and another number elsewhere. */
function int64Fields() {
  const numbers = Object.values(components.schemas).flatMap(numbersIn)
  const names = new Set(numbers.filter(([, { format }]) => format === 'int64').map(([name]) => name))
  const ambiguous = numbers.find(([name, { format }]) => names.has(name) && format !== 'int64')
  if (ambiguous) throw new Error(`\`${ambiguous[0]}\` is an int64 in one schema and another number in another.`)
  return [...names]
}

function numbersIn({ properties = {} }: Schema): [name: string, schema: Schema][] {
  return Object.entries(properties).flatMap(([name, schema]): [string, Schema][] => [
    ...(schema.type === 'integer' || schema.type === 'number' ? [[name, schema] as [string, Schema]] : []),
    ...numbersIn(schema),
  ])
}
