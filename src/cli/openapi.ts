import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { openApiDocument } from '../service.ts'
import { type Io, print } from './io.ts'

export const USAGE = `petstore openapi
    Prints the OpenAPI document.
`

/** Prints the document as it is committed: without the URL of a service. */
export async function openapi(io: Io, args: string[]) {
  parseArgs({ args }) // takes none
  print(io, await openApiDocument(readConfig({ DATABASE_URL: 'postgres://unused/unused' })))
  return 0
}
