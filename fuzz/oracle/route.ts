export interface Route {
  name: 'pets' | 'pet' | 'key' | 'deprecations' | 'public' | 'redirect' | 'none'
  /** Whether a key is asked for. */
  inVersion1: boolean
  /** The methods of a published path. */
  allow?: string
  /** What stands in the place of the id, decoded; undefined when it can't be. */
  segment?: string | undefined
}

const PUBLIC = new Set(['livez', 'readyz', 'openapi.json'])

/** The route that a request target names, segment by segment, however each is spelled. */
export function routeOf(target: string): { route: Route; search: string } {
  const local = target.replace(/^https?:\/\/[^/]*(?=\/)/, '')
  const mark = local.indexOf('?')
  const path = mark < 0 ? local : local.slice(0, mark)
  const segments = path.slice(1).split('/').map(decode)
  return { route: match(segments), search: mark < 0 ? '' : local.slice(mark + 1) }
}

function match(segments: (string | undefined)[]): Route {
  const [first, second, third] = segments
  const inVersion1 = first === 'v1'
  if (inVersion1 && second === 'pets') {
    if (segments.length === 2) return { name: 'pets', inVersion1, allow: 'GET, HEAD, POST, OPTIONS' }
    if (segments.length === 3 && third !== '')
      return { name: 'pet', inVersion1, allow: 'GET, HEAD, OPTIONS', segment: third }
  }
  if (inVersion1 && second === 'keys' && third === 'self' && segments.length === 3)
    return { name: 'key', inVersion1, allow: 'GET, HEAD, OPTIONS' }
  if (inVersion1 && second === 'deprecations' && segments.length === 2)
    return { name: 'deprecations', inVersion1, allow: 'GET, HEAD, OPTIONS' }
  if (segments.length === 1 && first !== undefined && PUBLIC.has(first))
    return { name: 'public', inVersion1, allow: 'GET, HEAD, OPTIONS' }
  if (segments.length === 1 && first === '') return { name: 'redirect', inVersion1, allow: 'GET, HEAD, OPTIONS' }
  return { name: 'none', inVersion1 }
}

function decode(segment: string) {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
