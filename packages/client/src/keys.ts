import type { Connection } from './connection.ts'
import { KEY, KEY_NAME, type Key, type KeyName, LISTED_KEY, type ListedKey } from './kinds.ts'
import { createList } from './lists.ts'
import type { CallOptions } from './options.ts'
import { itemIn, itemsIn } from './responses.ts'
import { send } from './send.ts'

const PATH = '/keys'

export interface KeyListOptions extends CallOptions {
  /** The size of a page, 1 to 100. Iterating uses 100 by default. */
  limit?: number | undefined
}

export interface KeyPage {
  keys: ListedKey[]
  /** Where the next page begins; undefined on the last page. */
  next: string | undefined
}

/** Every key, page after page: `for await (const key of list)`. */
export interface KeyList extends AsyncIterable<ListedKey> {
  /** One page: the first, or the one that `next` of another page points to. */
  page(cursor?: string): Promise<KeyPage>
}

/** Beta: all of it may still change. */
export interface Keys {
  /** The scopes, expiry and rate limit of this client's key, and which key replaced it. */
  self(options?: CallOptions): Promise<Key>
  /** All keys of the store, newest first, with what each does. Needs the scope `keys:read`. */
  list(options?: KeyListOptions): KeyList
  /** The names of the 1,000 newest keys, newest first, for the ids of keys in events, orders and webhooks. Needs `events:read`. */
  names(options?: CallOptions): Promise<KeyName[]>
}

export function createKeys(connection: Connection): Keys {
  return {
    self: async ({ signal } = {}) =>
      itemIn(await send(connection, { method: 'GET', path: `${PATH}/self`, signal }), KEY),
    list: ({ limit, signal } = {}) =>
      createList(connection, {
        path: PATH,
        query: { limit },
        kind: LISTED_KEY,
        pageOf: (keys, next) => ({ keys, next }),
        signal,
      }),
    names: async ({ signal } = {}) =>
      itemsIn(await send(connection, { method: 'GET', path: `${PATH}/names`, signal }), KEY_NAME),
  }
}
