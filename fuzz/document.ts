import { readFileSync } from 'node:fs'

/** An operation as openapi.json declares it. */
export interface Operation {
  operationId: string
  responses: Record<string, { content?: Record<string, { examples?: Record<string, unknown> }> }>
}

/** A published path with its base: `undefined` is the place of a parameter. */
export interface PublishedPath {
  segments: (string | undefined)[]
  /** By method, in upper case. */
  operations: Record<string, Operation>
}

const { servers, paths } = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as {
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
}

/** Those with the fewest parameters first: they win where two match. */
export const PATHS: PublishedPath[] = Object.entries(paths)
  .map(([path, byMethod]) => {
    const operations = Object.fromEntries(
      Object.entries(byMethod).map(([method, operation]) => [method.toUpperCase(), operation]),
    )
    const segments = `${servers[0]?.url}${path}`.slice(1).split('/')
    return {
      segments: segments.map((segment) => (segment.startsWith('{') ? undefined : segment)),
      operations,
    }
  })
  .toSorted((a, b) => parametersOf(a) - parametersOf(b))

/** The status of each error code that an operation declares. */
export const STATUS_OF: Record<string, number> = Object.fromEntries(
  PATHS.flatMap(({ operations }) => Object.values(operations)).flatMap((operation) =>
    errorsOf(operation).map(({ status, code }) => [code, status]),
  ),
)

export function errorsOf({ responses }: Operation) {
  return Object.entries(responses)
    .filter(([status]) => status >= '400')
    .flatMap(([status, { content = {} }]) =>
      Object.keys(content['application/json']?.examples ?? {}).map((code) => ({ status: Number(status), code })),
    )
}

function parametersOf({ segments }: PublishedPath) {
  return segments.filter((segment) => segment === undefined).length
}
