import type { Connection } from './connection.ts'
import { digits, stringify } from './json.ts'
import { CATEGORY, type Category } from './kinds.ts'
import { createList } from './lists.ts'
import type { CallOptions } from './options.ts'
import { type ChangeOptions, condition } from './pets.ts'
import { itemIn } from './responses.ts'
import { send } from './send.ts'

export interface CategoryListOptions extends CallOptions {
  /** Only categories whose name has all of these words or beginnings of words, 1 to 8 of them. */
  name?: string | undefined
  /** Whether each category comes with `pets`: how many it has of each status, where 100 stands for 100 or more. */
  counts?: boolean | undefined
  /** The size of a page, 1 to 100; with `counts`, 1 to 20. Iterating uses the largest by default. */
  limit?: number | undefined
}

export interface NameOptions extends ChangeOptions {
  /** Only a category without a name gets one. Not together with `ifMatch`. */
  ifNoneMatch?: '*' | undefined
}

export interface CategoryPage {
  categories: Category[]
  /** Where the next page begins; undefined on the last page. */
  next: string | undefined
}

/** Every category that has a name, page after page: `for await (const category of list)`. */
export interface CategoryList extends AsyncIterable<Category> {
  /** One page: the first, or the one that `next` of another page points to. */
  page(cursor?: string): Promise<CategoryPage>
}

/** Names of categories. Beta: all of it may still change. */
export interface Categories {
  /** Categories that have a name, by ascending id. With `name`, rejects with `too_many_categories` if there are more than 1,000. */
  list(options?: CategoryListOptions): CategoryList
  /**
   * Gives a category its name, or another one; its pets stay as they are. With `ifMatch`, the call rejects with `version_mismatch` unless
   * the record still has that version; with `ifNoneMatch`, unless it has no name. With either it is not retried if its outcome is unknown.
   */
  put(id: bigint, name: string, options?: NameOptions): Promise<Category>
  /** Removes the name of a category; its pets stay as they are. It is not retried if its outcome is unknown. */
  delete(id: bigint, options?: ChangeOptions): Promise<void>
}

const PATH = '/categories'
// With counts, the service returns shorter pages only.
const LARGEST_COUNTED = 20

export function createCategories(connection: Connection): Categories {
  return {
    list: ({ name, counts, limit, signal } = {}) =>
      createList(connection, {
        path: PATH,
        query: { limit, name, counts: counts ? 'true' : undefined },
        kind: CATEGORY,
        ...(counts && { largestPage: LARGEST_COUNTED }),
        pageOf: (categories, next) => ({ categories, next }),
        signal,
      }),
    put: async (id, name, { ifMatch, ifNoneMatch, signal } = {}) => {
      if (typeof name !== 'string') throw new TypeError('`name` is required: a string.')
      const conditions = { ...condition(ifMatch), ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }) }
      const headers = { 'content-type': 'application/json', ...conditions }
      const call = { method: 'PUT', path: pathOf(id), headers, body: stringify({ name }), signal } as const
      const isConditional = Object.keys(conditions).length > 0
      return itemIn(await send(connection, isConditional ? { ...call, once: true } : call), CATEGORY)
    },
    delete: async (id, { ifMatch, signal } = {}) => {
      await send(connection, { method: 'DELETE', path: pathOf(id), headers: condition(ifMatch), once: true, signal })
    },
  }
}

function pathOf(id: bigint) {
  return `${PATH}/${digits('id', id)}`
}
