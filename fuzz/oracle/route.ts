import { type Operation, PATHS, type PublishedPath } from '../document.ts'
import type { Request } from '../request.ts'

/** What a request asks for, by its method and its path. */
export interface Asked {
  /** Missing where the document has none. */
  operation?: Operation
  /** The last path parameter, decoded; undefined when it can't be. */
  parameter?: string | undefined
  search: string
  /** Whether the path is served although it is not in the document, to anyone. */
  isPublic: boolean
}

const PUBLIC = new Set(['', 'livez', 'readyz', 'openapi.json'])

/** Goes by the segments of the path, however each is spelled. */
export function askedBy({ method, target }: Request): Asked {
  const local = target.replace(/^https?:\/\/[^/]*(?=\/)/, '')
  const mark = local.indexOf('?')
  const path = mark < 0 ? local : local.slice(0, mark)
  const segments = path.slice(1).split('/').map(decode)
  const published = PATHS.find((each) => fits(each, segments))
  const operation = published?.operations[method === 'HEAD' ? 'GET' : method]
  return {
    ...(operation && { operation }),
    parameter: published && segments[published.segments.lastIndexOf(undefined)],
    search: mark < 0 ? '' : local.slice(mark + 1),
    isPublic: segments.length === 1 && PUBLIC.has(segments[0] ?? '%'),
  }
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
