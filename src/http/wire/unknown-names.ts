import { nameMeant } from '../../lib/did-you-mean.ts'
import { echo } from './echo.ts'

/** How a sentence speaks of names, which differ by where they come from. */
export interface Wording {
  /** What a sentence about an unknown name begins with. */
  start: string
  /** How to get from one page of a list to the next. */
  nextPage?: string
}

export const FIELD: Wording = { start: 'There is no field' }
export const PARAMETER: Wording = {
  start: 'There is no parameter',
  nextPage:
    '`limit` sets the size of a page, and the `Link` header of a page (rel="next") has the URL of the next one.',
}

// What lists of other services take: a client that sends it believes the first page to be another, or all pets to be found ones.
const PAGES = ['page', 'offset', 'per_page']
const SEARCHES = ['q', 'search']
const BY_NAME = '`name` finds by words of the name, or their beginnings.'

// A request has room for thousands of unknown names. More than these are taken for strangers.
const MAX_COMPARED = 32

/**
 * A mistake is named, a stranger is ignored: returns a sentence about the first name that is not known, but was meant to be one that
 * is. A client that gets pets for `stauts=sold` does not notice that they are of any status.
 */
export function misnamed(names: readonly string[], known: readonly string[], wording: Wording): string | undefined {
  let compared = 0
  for (const name of names) {
    if (known.includes(name)) continue
    if (++compared > MAX_COMPARED) return undefined
    const hint = hintFor(name, known, wording)
    if (hint !== undefined) return `${wording.start} ${echo(name)}. ${hint}`
  }
  return undefined
}

function hintFor(name: string, known: readonly string[], { nextPage }: Wording) {
  const meant = nameMeant(name, known)
  if (meant !== undefined) return `Did you mean \`${meant}\`?`
  // What has a cursor is a list.
  if (nextPage === undefined || !known.includes('cursor')) return undefined
  const other = name.toLowerCase()
  if (PAGES.includes(other)) return nextPage
  if (!SEARCHES.includes(other)) return undefined
  return known.includes('name') ? BY_NAME : `Text search is not offered. ${accepted(known)}`
}

export function accepted(known: readonly string[]) {
  return `It accepts ${known.join(', ')}.`
}
