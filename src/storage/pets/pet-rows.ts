import type { Pet, PetStatus, View } from '../../domain/types/pet.ts'
import { aggregateOf, int64Text, optionalWord, text, valueAt } from '../postgres/columns.ts'

/** A pet as it is read: its integers stay the digits that PostgreSQL wrote, since all that is done with them is to print them. */
export interface StoredPet extends Pet {
  id: string
  categoryId: string
}

export interface VersionedPet extends StoredPet {
  version: string
}

export interface StoredPetRecord extends VersionedPet {
  heldBy?: string | undefined
}

const PET = {
  id: int64Text('id'),
  name: text('name'),
  categoryId: int64Text('category_id'),
  status: optionalWord<PetStatus>('status'),
}
const VERSIONED_PET = { ...PET, version: int64Text('version') }
const PETS = aggregateOf<StoredPet>(PET)
const VERSIONED_PETS = aggregateOf<VersionedPet>(VERSIONED_PET)
const RECORDS = aggregateOf<StoredPetRecord>({
  ...VERSIONED_PET,
  heldBy: optionalWord<string>('held_by::text'),
})

/** Many pets as one row. Those of a record are there in the view `full` only. */
export type PetColumns = Record<keyof StoredPetRecord, unknown>

export const SELECT_LISTS: Record<View, string> = { basic: PETS.selectList, full: RECORDS.selectList }

export const READERS: Record<View, (row: PetColumns) => StoredPet[]> = { basic: toPets, full: toRecords }

/** Of a pet that is fetched alone: what is printed of it, and its version for the header. */
export const VERSIONED_SELECT_LIST = VERSIONED_PETS.selectList

export function toVersionedPets(row: Omit<PetColumns, 'heldBy'>): VersionedPet[] {
  const {
    id: ids,
    name: names,
    categoryId: categoryIds,
    status: statuses,
    version: versions,
  } = VERSIONED_PETS.decode(row)
  return ids.map((id, i) => ({
    id,
    name: valueAt(names, i),
    categoryId: valueAt(categoryIds, i),
    status: statuses[i],
    version: valueAt(versions, i),
  }))
}

function toPets(row: PetColumns): StoredPet[] {
  const { id: ids, name: names, categoryId: categoryIds, status: statuses } = PETS.decode(row)
  return ids.map((id, i) => ({
    id,
    name: valueAt(names, i),
    categoryId: valueAt(categoryIds, i),
    status: statuses[i],
  }))
}

function toRecords(row: PetColumns): StoredPetRecord[] {
  const { version: versions, heldBy } = RECORDS.decode(row)
  return toPets(row).map((pet, i) => ({ ...pet, version: valueAt(versions, i), heldBy: heldBy[i] }))
}
