import { canonicalInt64, STATUSES } from './new-pet.ts'

export interface ListQuery {
  limit: number
  status?: string
  ids?: bigint[]
  /** Given and of unknown worth: opaque to everyone but the service. */
  cursor?: string
}

const DEFAULT_LIMIT = 20
const MAX_IDS = 100

/** The list that a query asks for; or the codes of what is wrong with it, any of which may be the response. */
export function readListQuery(search: string): ListQuery | string[] {
  const given = readSearch(search)
  const faults = new Set<string>()
  const once = (name: string, code = 'invalid_parameter') => {
    const values = given.get(name) ?? []
    if (values.length > 1) faults.add(code)
    return values.length === 1 ? values[0] : undefined
  }

  const query: ListQuery = { limit: DEFAULT_LIMIT }
  const limit = once('limit')
  if (limit !== undefined) {
    query.limit = Number(limit)
    if (!/^[0-9]{1,3}$/.test(limit) || limit.startsWith('0') || query.limit > 100) faults.add('invalid_parameter')
  }
  const status = once('status')
  if (status !== undefined) {
    query.status = status
    if (!STATUSES.includes(status)) faults.add('invalid_parameter')
  }
  const ids = once('id')?.split(',').map(canonicalInt64)
  if (ids) {
    query.ids = ids.filter((id) => id !== undefined)
    if (query.ids.length < ids.length || ids.length > MAX_IDS) faults.add('invalid_parameter')
  }
  const cursor = once('cursor', 'invalid_cursor')
  if (cursor !== undefined) query.cursor = cursor
  return faults.size > 0 ? [...faults] : query
}

function readSearch(search: string) {
  const parameters = new Map<string, string[]>()
  for (const part of search.split('&')) {
    const [name = '', ...value] = part.split('=')
    const key = decode(name)
    parameters.set(key, [...(parameters.get(key) ?? []), decode(value.join('='))])
  }
  parameters.delete('')
  return parameters
}

function decode(text: string) {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
