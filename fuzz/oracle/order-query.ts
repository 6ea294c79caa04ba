import { canonicalInt64, isName } from './new-pet.ts'
import { cursorOf, limitOf, once, readSearch } from './search.ts'

export interface OrderQuery {
  limit: number
  status?: string
  petId?: bigint
  reference?: string
  cursor?: string
}

const STATUSES = ['placed', 'completed', 'cancelled', 'expired']

/** The orders that a query asks for; or the codes of what is wrong with it, any of which may be the response. */
export function readOrderQuery(search: string): OrderQuery | string[] {
  const given = readSearch(search)
  const faults = new Set<string>()
  const query: OrderQuery = { limit: limitOf(given, faults) }
  const status = once(given, 'status', faults)
  if (status !== undefined) {
    query.status = status
    if (!STATUSES.includes(status)) faults.add('invalid_parameter')
  }
  const petId = once(given, 'petId', faults)
  if (petId !== undefined) {
    const id = canonicalInt64(petId)
    if (id === undefined) faults.add('invalid_parameter')
    else query.petId = id
  }
  const reference = once(given, 'reference', faults)
  if (reference !== undefined) {
    query.reference = reference
    if (petId !== undefined || !isName(reference)) faults.add('invalid_parameter')
  }
  const cursor = cursorOf(given, faults)
  if (cursor !== undefined) query.cursor = cursor
  return faults.size > 0 ? [...faults] : query
}
