import { readFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

// Prints the types of the service's document. An int64 doesn't fit into a number, so it is a bigint wherever it stands.
const document = await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8')
const types = await openapiTS(document, {
  transform: ({ format }) =>
    format === 'int64' ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword) : undefined,
})
process.stdout.write(
  `// Generated from openapi.json by \`npm run generate\`; not written by hand.\n\n${astToString(types)}`,
)
