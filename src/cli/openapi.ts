import { readConfig } from '../config.ts'
import { openApiDocument } from '../service.ts'

/** Prints the document as it is committed: what a service says that has no address of its own. */
export async function openapi() {
  const document = await openApiDocument(readConfig({ DATABASE_URL: 'postgres://unused' }))
  console.log(JSON.stringify(document, null, 2))
  return 0
}
