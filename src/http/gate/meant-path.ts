import { nameMeant } from '../../lib/did-you-mean.ts'

const VERSION = 'v1'
// More than the path of any operation has.
const MAX_SEGMENTS = 10

/**
 * The path below /v1 that an unknown one was most likely meant to be: there is a slash too many, a letter in another case or
 * wrong, or /v1 is missing.
 */
export function pathMeant(url: string, paths: readonly string[]): string | undefined {
  const [path = ''] = url.split('?', 1)
  const given = path.split('/', MAX_SEGMENTS).filter((segment) => segment !== '')
  const below = given[0]?.toLowerCase() === VERSION ? given.slice(1) : given
  const meant = paths.find((known) => isNear(below, known.slice(1).split('/')))
  return meant && `/${VERSION}${meant}`
}

/** An id may be anything. */
function isNear(given: readonly string[], segments: readonly string[]) {
  return (
    given.length === segments.length &&
    segments.every((segment, i) => segment.startsWith('{') || nameMeant(given[i] ?? '', [segment]) !== undefined)
  )
}
