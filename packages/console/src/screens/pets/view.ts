import type { PetRecord, PetStatus } from '@petstore/client'
import { readIds, readInt64 } from '../../int64.ts'
import { PET_STATUSES } from '../../ui/status.tsx'

/** What the address asks for. */
export interface View {
  status: PetStatus | undefined
  category: bigint | undefined
  ids: readonly bigint[] | undefined
  /** The cursor after which the page begins. */
  after: string | undefined
  /** The pet in the panel. */
  pet: bigint | undefined
  /** Equal for addresses that list the same pets. */
  key: string
}

export const MAX_IDS = 100

/** Parameters that say nothing are ignored, as if they were not there. */
export function readView(query: URLSearchParams): View {
  const status = PET_STATUSES.find((known) => known === query.get('status'))
  const category = readParameter(query.get('category'))
  const listed = readIds(query.get('id') ?? '')
  const ids = typeof listed === 'string' ? undefined : listed.slice(0, MAX_IDS)
  const after = query.get('after') || undefined
  return {
    status,
    category,
    ids,
    after,
    pet: readParameter(query.get('pet')),
    key: [status, category, ids, after].join(';'),
  }
}

function readParameter(text: string | null) {
  const value = readInt64(text ?? '')
  return typeof value === 'string' ? undefined : value
}

export const isFiltered = ({ status, category, ids }: View) => (status ?? category ?? ids) !== undefined

/** Whether a pet belongs to the list, on whichever page. */
export function matches({ status, category, ids }: View, pet: PetRecord) {
  return (
    (status === undefined || pet.status === status) &&
    (category === undefined || pet.categoryId === category) &&
    (ids === undefined || ids.includes(pet.id))
  )
}
