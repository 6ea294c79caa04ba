import { type Operation, PATHS, type PublishedPath } from '../document.ts'

export interface Route {
  kind: 'published' | 'public' | 'redirect' | 'none'
  /** Whether a key is required. */
  inVersion1: boolean
  /** The methods of a path that exists. */
  allow?: string
  /** The operations of a published path, by method. */
  operations?: Record<string, Operation>
  /** The last path parameter, decoded; undefined when it can't be. */
  parameter?: string | undefined
}

const PUBLIC = new Set(['livez', 'readyz', 'openapi.json'])
const READ_ONLY = 'GET, HEAD, OPTIONS'

/** The route that a request target names, segment by segment, however each is spelled. */
export function routeOf(target: string): { route: Route; search: string } {
  const local = target.replace(/^https?:\/\/[^/]*(?=\/)/, '')
  const mark = local.indexOf('?')
  const path = mark < 0 ? local : local.slice(0, mark)
  const segments = path.slice(1).split('/').map(decode)
  return { route: match(segments), search: mark < 0 ? '' : local.slice(mark + 1) }
}

function match(segments: (string | undefined)[]): Route {
  const [first] = segments
  const inVersion1 = first === 'v1'
  const published = PATHS.find((path) => fits(path, segments))
  if (published) {
    const { allow, operations } = published
    const parameter = segments[published.segments.lastIndexOf(undefined)]
    return { kind: 'published', inVersion1, allow, operations, parameter }
  }
  if (segments.length === 1 && first !== undefined && PUBLIC.has(first))
    return { kind: 'public', inVersion1, allow: READ_ONLY }
  if (segments.length === 1 && first === '') return { kind: 'redirect', inVersion1, allow: READ_ONLY }
  return { kind: 'none', inVersion1 }
}

/** A parameter takes any value but an empty one, also one that can't be decoded. */
function fits(path: PublishedPath, segments: (string | undefined)[]) {
  return (
    path.segments.length === segments.length &&
    path.segments.every((literal, i) => (literal === undefined ? segments[i] !== '' : segments[i] === literal))
  )
}

function decode(segment: string) {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
