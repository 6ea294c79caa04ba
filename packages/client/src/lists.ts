import type { Connection } from './connection.ts'
import type { Kind } from './kinds.ts'
import { nextTarget } from './link.ts'
import type { CallOptions } from './options.ts'
import { type HttpResponse, itemsIn, unexpected } from './responses.ts'
import { send } from './send.ts'

interface Listing<Item> extends CallOptions {
  path: string
  /** Parameters that are undefined are left out. Without a query nothing can match, so nothing is sent. */
  query: ({ limit: number | undefined } & Record<string, string | number | undefined>) | undefined
  /** Parameters of the first page only. */
  first?: Record<string, string | undefined>
  kind: Kind<Item>
  /** What iterating asks for, if not 100. */
  largestPage?: number
  /** Each page is retried until it is there. */
  forever?: boolean
}

const LARGEST_PAGE = 100

/** A list that can be read page by page, or item by item, as far as the caller reads. */
export function createList<Item, Page>(
  connection: Connection,
  listing: Listing<Item> & { pageOf: (items: Item[], next: string | undefined, headers: Headers | undefined) => Page },
) {
  return {
    page: async (cursor?: string) => {
      const { items, next, headers } = await fetchPage(connection, listing, cursor)
      return listing.pageOf(items, next, headers)
    },
    [Symbol.asyncIterator]: () => walk(connection, listing),
  }
}

/** Every item, page after page, as far as the caller reads. */
export async function* walk<Item>(connection: Connection, listing: Listing<Item>) {
  const { query, largestPage = LARGEST_PAGE } = listing
  const largest = { ...listing, query: query && { ...query, limit: query.limit ?? largestPage } }
  let cursor: string | undefined
  for (;;) {
    const { items, next } = await fetchPage(connection, largest, cursor)
    yield* items
    // Events have no last page: where they end for now, a page leads to itself.
    if (next === undefined || next === cursor) return
    cursor = next
  }
}

interface FetchedPage<Item> {
  items: Item[]
  next: string | undefined
  /** Undefined if nothing was sent. */
  headers: Headers | undefined
}

export async function fetchPage<Item>(
  connection: Connection,
  { path, query, first, kind, ...call }: Listing<Item>,
  cursor: string | undefined,
): Promise<FetchedPage<Item>> {
  if (query === undefined) return { items: [], next: undefined, headers: undefined }
  // A cursor says where the page begins, so nothing else may.
  const parameters = { ...query, ...(cursor === undefined ? first : { cursor }) }
  const response = await send(connection, { method: 'GET', path: `${path}?${searchOf(parameters)}`, ...call })
  return { items: itemsIn(response, kind), next: nextCursor(response), headers: response.headers }
}

/** Parameters that are undefined are left out. */
export function searchOf(parameters: Record<string, string | number | undefined>) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, String(value))
  return search
}

/**
 * Only the cursor is taken from the link, and used with our own base URL: the key is sent nowhere else, whatever the link
 * says, and a service that knows itself by another name can be listed all the same.
 */
function nextCursor(response: HttpResponse) {
  const target = nextTarget(response.headers.get('link'))
  if (target === undefined) return undefined
  const cursor = new URLSearchParams(target.split(/[?#]/)[1]).get('cursor')
  // A walk that ends early would look like a complete one.
  if (cursor === null) throw unexpected(response, 'The link to the next page has no cursor.')
  return cursor
}
