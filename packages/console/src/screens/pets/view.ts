import type { PetRecord, PetStatus } from '@petstore/client'
import { readIds, readInt64 } from '../../int64.ts'
import { PET_STATUSES } from '../../ui/status.tsx'
import { termsOf, wordsOf } from '../../words.ts'

/** What the address asks for. */
export interface View {
  status: PetStatus | undefined
  category: bigint | undefined
  ids: readonly bigint[] | undefined
  /** Words of a name, or their beginnings. Such a list has an order of its own. */
  name: string | undefined
  sort: 'newest' | 'oldest'
  /** The cursor after which the page begins. */
  after: string | undefined
  /** The pet in the panel. */
  pet: bigint | undefined
  /** Equal for addresses that list the same pets. */
  key: string
}

export const MAX_IDS = 100
/** So many words the service looks for in a name. */
const MAX_WORDS = 8

/** Parameters that say nothing are ignored, as if they were not there. */
export function readView(query: URLSearchParams): View {
  const status = PET_STATUSES.find((known) => known === query.get('status'))
  const category = readParameter(query.get('category'))
  const listed = readIds(query.get('id') ?? '')
  const ids = typeof listed === 'string' ? undefined : listed.slice(0, MAX_IDS)
  const name = (ids === undefined && query.get('name')?.trim()) || undefined
  const sort = query.get('sort') === 'oldest' && name === undefined ? 'oldest' : 'newest'
  const after = query.get('after') || undefined
  return {
    status,
    category,
    ids,
    name,
    sort,
    after,
    pet: readParameter(query.get('pet')),
    key: [status, category, ids, sort, after, name].join(';'),
  }
}

function readParameter(text: string | null) {
  const value = readInt64(text ?? '')
  return typeof value === 'string' ? undefined : value
}

export const isFiltered = ({ status, category, ids, name }: View) => (status ?? category ?? ids ?? name) !== undefined

/** Whether a pet belongs to the list, on whichever page. */
export function matches({ status, category, ids, name }: View, pet: PetRecord) {
  return (
    (status === undefined || pet.status === status) &&
    (category === undefined || pet.categoryId === category) &&
    (ids === undefined || ids.includes(pet.id)) &&
    (name === undefined || isCalled(pet, name))
  )
}

/** Whether each term begins a word of the name, as the service has it. */
function isCalled(pet: PetRecord, text: string) {
  const words = wordsOf(pet.name)
  return termsOf(text).every((term) => words.some((word) => word.startsWith(term)))
}

/** Whether it can't be looked for in names. */
export const hasTooManyWords = (text: string) => termsOf(text).length > MAX_WORDS

/** A number, or several with commas or line ends in between, are ids. Anything else is looked for in names. */
export const isIds = (text: string) => /^[-+\u2212]?\d+(?:\s*[,\n]\s*[-+\u2212]?\d+)*[\s,]*$/.test(text)
