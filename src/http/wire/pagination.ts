import { Type } from 'typebox'
import { decodeCursor } from '../../lib/cursor.ts'
import { RequestError } from './errors.ts'

export const UNKNOWN_CURSOR =
  'The `cursor` was not issued by this service. Take it from the Link header of the previous page.'

/** The query parameter that continues a walk. */
export const Cursor = Type.String({
  description: 'Where the page starts. Opaque: take it from the Link header of the previous page.',
  examples: ['AQAAAAAAAAAC'],
  errorCode: 'invalid_cursor',
})

interface Position {
  limit?: number
  status?: string
  id?: bigint[]
}

/** The id after which the page starts; undefined for the first page. */
export function readCursor(cursor: string | undefined) {
  if (cursor === undefined) return undefined
  const after = decodeCursor(cursor)
  if (after === undefined) throw new RequestError('invalid_cursor', UNKNOWN_CURSOR)
  return after
}

/** A link to the page at the cursor `next`, with the parameters of this one. */
export function nextLink(baseUrl: string, { limit, status, id }: Position, next: string) {
  // Nothing here needs escaping but the commas: these are digits, words of ours and base64url.
  let query = `cursor=${next}`
  if (id !== undefined) query = `id=${id.join('%2C')}&${query}`
  if (status !== undefined) query = `status=${status}&${query}`
  if (limit !== undefined) query = `limit=${limit}&${query}`
  return `<${baseUrl}/pets?${query}>; rel="next"`
}
