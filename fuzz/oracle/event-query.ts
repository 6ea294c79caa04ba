import { EVENT_TYPES } from './event.ts'
import { canonicalInt64 } from './new-pet.ts'
import { cursorOf, limitOf, once, readSearch } from './search.ts'

export interface EventQuery {
  limit: number
  types?: string[]
  /** Asks for the history of this pet. */
  petId?: bigint
  cursor?: string
}

const MAX_TYPES = 8

/** The events that a query asks for; or the codes of what is wrong with it, any of which may be the response. */
export function readEventQuery(search: string): EventQuery | string[] {
  const given = readSearch(search)
  const faults = new Set<string>()
  const check = (holds: boolean) => {
    if (!holds) faults.add('invalid_parameter')
  }

  const query: EventQuery = { limit: limitOf(given, faults) }
  const from = once(given, 'from', faults)
  check(from === undefined || from === 'oldest' || from === 'now')
  const wait = once(given, 'wait', faults)
  check(wait === undefined || /^[0-9]$/.test(wait))
  const types = once(given, 'type', faults)?.split(',')
  if (types) {
    query.types = types
    check(types.length <= MAX_TYPES && types.every((type) => EVENT_TYPES.includes(type)))
  }
  const petId = once(given, 'petId', faults)
  if (petId !== undefined) {
    const id = canonicalInt64(petId)
    if (id !== undefined) query.petId = id
    check(id !== undefined && !given.has('from') && !given.has('wait') && !given.has('type'))
  }
  const cursor = cursorOf(given, faults)
  if (cursor !== undefined) query.cursor = cursor
  check(!given.has('from') || !given.has('cursor'))
  return faults.size > 0 ? [...faults] : query
}
