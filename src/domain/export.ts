import type { BulkConnection } from '../storage/bulk.ts'
import * as petCopy from '../storage/pet-copy.ts'

export type { PetFormat } from '../storage/pet-copy.ts'

/** Every pet of one moment, in the order of the walk, as bytes; and about how many there are, 0 for unknown. */
export async function exportPets({ db }: { db: BulkConnection }, format: petCopy.PetFormat) {
  const expected = await petCopy.estimate(db)
  return { expected, bytes: petCopy.copyOut(db, format) }
}
