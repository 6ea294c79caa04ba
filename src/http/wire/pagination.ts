import { decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import { Refusal } from './errors.ts'

export const UNKNOWN_CURSOR =
  'The `cursor` was not issued by this service. Take it from the Link header of the previous page.'

interface Position {
  limit?: number
  status?: string
  id?: bigint[]
}

/** The id that the page begins behind; undefined for the first page. */
export function readCursor(cursor: string | undefined) {
  if (cursor === undefined) return undefined
  const after = decodeCursor(cursor)
  if (after === undefined) throw new Refusal('invalid_cursor', UNKNOWN_CURSOR)
  return after
}

/** A link to the page behind `next`, with the parameters of this one. */
export function nextLink(baseUrl: string, { limit, status, id }: Position, next: bigint) {
  // Nothing here needs escaping but the commas: these are digits, words of ours and base64url.
  let query = `cursor=${encodeCursor(next)}`
  if (id !== undefined) query = `id=${id.join('%2C')}&${query}`
  if (status !== undefined) query = `status=${status}&${query}`
  if (limit !== undefined) query = `limit=${limit}&${query}`
  return `<${baseUrl}/pets?${query}>; rel="next"`
}
