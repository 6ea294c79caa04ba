import { decodeCursor, encodeCursor } from '../lib/cursor.ts'
import { Refusal } from './errors.ts'

interface Position {
  limit?: number
  status?: string
  id?: bigint[]
}

/** The id that the page begins behind; undefined for the first page. */
export function readCursor(cursor: string | undefined) {
  if (cursor === undefined) return undefined
  const after = decodeCursor(cursor)
  if (after === undefined)
    throw new Refusal('invalid_cursor', '`cursor` is not one of ours; take it from the Link header of the page before.')
  return after
}

/** A link to the page behind `next`, with the parameters of this one. */
export function nextLink(baseUrl: string, { limit, status, id }: Position, next: bigint) {
  const query = new URLSearchParams()
  if (limit !== undefined) query.set('limit', String(limit))
  if (status !== undefined) query.set('status', status)
  if (id !== undefined) query.set('id', id.join(','))
  query.set('cursor', encodeCursor(next))
  return `<${baseUrl}/pets?${query.toString()}>; rel="next"`
}
