import * as petCopy from '../storage/pets/copy.ts'
import type { BulkConnection } from '../storage/postgres/bulk.ts'
import type { PetFormat } from './types/import.ts'

/** Every pet of one moment, in the order of the walk, as bytes; and about how many there are, 0 for unknown. */
export async function exportPets({ db }: { db: BulkConnection }, format: PetFormat) {
  const expected = await petCopy.estimate(db)
  return { expected, bytes: petCopy.copyOut(db, format) }
}
