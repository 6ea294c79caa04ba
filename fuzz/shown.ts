import type { Json } from './oracle/json.ts'
import type { Search } from './oracle/search.ts'
import type { Request } from './request.ts'
import type { HttpResponse } from './response.ts'
import type { Store } from './store.ts'

/** A response with success and a body, with what its request asked for. */
export interface Shown {
  request: Request
  /** The last one of the path. */
  parameter: string
  search: Search
  response: HttpResponse
  /** The body of the response. */
  value: Json
  store: Store
  sentAt: number
}

/** The query of the next page, when a page has one. */
export function nextPage({ headers }: HttpResponse) {
  return /^<[^<>?]*\/(?:pets|orders|events|categories|keys)\?([^<>]*cursor=[^<>]*)>; rel="next"$/.exec(
    headers.get('link') ?? '',
  )?.[1]
}

/** The start of a body, for a message. */
export function startOf(body: Buffer) {
  return body.toString('utf8', 0, 300)
}
