import * as categoryCopy from '../storage/categories/copy.ts'
import * as petCopy from '../storage/pets/copy.ts'
import type { BulkConnection } from '../storage/postgres/bulk.ts'
import type { PetFormat } from './types/import.ts'

/** Every pet of one moment, in the order of the walk, as bytes; and about how many there are, 0 for unknown. */
export async function exportPets({ db }: { db: BulkConnection }, format: PetFormat) {
  const expected = await petCopy.estimate(db)
  return { expected, bytes: petCopy.copyOut(db, format) }
}

/** Every category that has a name, as bytes: how many there are is not known before. */
export function exportCategories({ db }: { db: BulkConnection }) {
  return { expected: 0, bytes: categoryCopy.copyOut(db) }
}
