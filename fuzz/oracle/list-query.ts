import { canonicalInt64, STATUSES } from './new-pet.ts'
import { cursorOf, limitOf, once, readSearch } from './search.ts'

export interface ListQuery {
  limit: number
  status?: string
  ids?: bigint[]
  categoryId?: bigint
  isFull: boolean
  newestFirst: boolean
  /** Given and of unknown worth: opaque to everyone but the service. */
  cursor?: string
}

const MAX_IDS = 100

/** The list that a query asks for; or the codes of what is wrong with it, any of which may be the response. */
export function readListQuery(search: string): ListQuery | string[] {
  const given = readSearch(search)
  const faults = new Set<string>()
  const choice = (name: string, usual: string, other: string) => {
    const value = once(given, name, faults)
    if (value !== undefined && value !== usual && value !== other) faults.add('invalid_parameter')
    return value === other
  }

  const query: ListQuery = {
    limit: limitOf(given, faults),
    isFull: choice('view', 'basic', 'full'),
    newestFirst: choice('sort', 'oldest', 'newest'),
  }
  const status = once(given, 'status', faults)
  if (status !== undefined) {
    query.status = status
    if (!STATUSES.includes(status)) faults.add('invalid_parameter')
  }
  const ids = once(given, 'id', faults)?.split(',').map(canonicalInt64)
  if (ids) {
    query.ids = ids.filter((id) => id !== undefined)
    if (query.ids.length < ids.length || ids.length > MAX_IDS) faults.add('invalid_parameter')
  }
  const category = once(given, 'categoryId', faults)
  if (category !== undefined) {
    const categoryId = canonicalInt64(category)
    if (categoryId === undefined) faults.add('invalid_parameter')
    else query.categoryId = categoryId
  }
  const cursor = cursorOf(given, faults)
  if (cursor !== undefined) query.cursor = cursor
  return faults.size > 0 ? [...faults] : query
}
