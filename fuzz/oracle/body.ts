import type { Request } from '../request.ts'
import type { Expectation, Reject } from './expectation.ts'
import { headers } from './headers.ts'
import { type Json, readJson } from './json.ts'
import { isOfType } from './media-type.ts'

const MAX_BODY = 65_536
const MAX_CHUNKS = 256

/** The JSON that a request carries in one of these media types; or why it is rejected. */
export function readBody(request: Request, types: string[], reject: Reject): { value: Json } | Expectation {
  const [type, ...more] = headers(request, 'content-type')
  const isOther = more.length > 0 || headers(request, 'content-encoding').length > 0
  if (isOther || (type !== undefined && !isOfType(type, types))) return reject(415, 'unsupported_media_type')
  const body = Buffer.from(request.body ?? '', 'latin1')
  if (chunksOf(request) > MAX_CHUNKS) return { statuses: [400], codes: ['bad_request'] }
  if (body.length > MAX_BODY) return reject(413, 'payload_too_large')
  const value = readJson(body)
  return value === undefined ? { statuses: [400], codes: ['invalid_json'] } : { value }
}

/** How many chunks its body arrives in. */
function chunksOf({ body = '', chunks = [] }: Request) {
  let [count, left] = [0, body.length]
  for (const size of chunks) {
    if (left <= 0) break
    left -= size
    count++
  }
  return left > 0 && chunks.length > 0 ? count + 1 : count
}
