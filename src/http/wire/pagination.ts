import { Type } from 'typebox'
import { decodeCursor, type Walk } from './cursor.ts'
import { RequestError } from './errors.ts'

const OPPOSITES: Partial<Record<Walk, Walk>> = {
  oldest: 'newest',
  newest: 'oldest',
  feed: 'newestEvents',
  newestEvents: 'feed',
  history: 'newestHistory',
  newestHistory: 'history',
}

/** The query parameter that continues a walk. */
export const Cursor = Type.String({
  description: 'Where the page starts. Opaque: take it from the Link header of the previous page.',
  examples: ['AQAAAAAAAAAC'],
  errorCode: 'invalid_cursor',
})

/** The ids, as many as an item of this walk has, after which the page starts; undefined for the first page. */
export function readCursor(walk: Walk, cursor: string | undefined, ids = 1) {
  if (cursor === undefined) return undefined
  const after = decodeCursor(walk, cursor, ids)
  if (after) return after
  const opposite = OPPOSITES[walk]
  const isOpposite = opposite && decodeCursor(opposite, cursor, ids)
  throw new RequestError('invalid_cursor', { kind: isOpposite ? 'opposite cursor' : 'unknown cursor' })
}

/** A link to the page at the cursor `next`, with the parameters of this one. */
export function nextLink(
  url: string,
  parameters: Record<string, string | number | bigint | bigint[] | undefined>,
  next: string,
) {
  let query = ''
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined)
      query += `${name}=${encodeURIComponent(Array.isArray(value) ? value.join() : String(value))}&`
  return `<${url}?${query}cursor=${next}>; rel="next"`
}
