import * as imports from '../storage/pets/imports.ts'
import type { BulkConnection } from '../storage/postgres/bulk.ts'
import { recordPets } from './import-event.ts'
import type { ImportState } from './types/import.ts'

/** The import conflicts with another one, or with an earlier run of itself. */
export class ImportConflict extends Error {
  override name = 'ImportConflict'
  readonly reason: 'finished' | 'differs' | 'given up' | 'elsewhere'
  readonly other: ImportState & Partial<imports.StoredImport>

  constructor(reason: ImportConflict['reason'], other: ImportConflict['other']) {
    super(`the import is in conflict: ${reason}`)
    this.reason = reason
    this.other = other
  }
}

/** The state of an import that has not begun. */
export function emptyState(head: string, name: string | null): ImportState {
  return { head, name, bytes: 0, sha256: '', lines: 0, added: 0, rejected: 0 }
}

/** Where to resume the import of this input: after an earlier run, else at its first byte. */
export async function findResumePoint(db: BulkConnection, head: string, name: string | null, again: boolean) {
  const known = await imports.find(db, head, name)
  const isSame = known?.head === head
  if (known && !isSame) {
    // The same file, begun with other content: to continue would lose pets, to begin again would add some twice.
    if (!again) throw new ImportConflict('differs', known)
    if (!(await giveUp(db, known, known.version))) throw new ImportConflict('elsewhere', known)
  }
  if (isSame && known.finishedAt === null) return { done: { ...known, name }, version: known.version }
  if (isSame && !again) throw new ImportConflict('finished', known)
  return { done: emptyState(head, name), version: isSame ? known.version : undefined }
}

/**
 * Forgets an import, and says whether it did: not if another process has written it meanwhile. Its pets stay, so they get their event:
 * without one, the next process to start would take them for pets of a version that records none.
 */
export async function giveUp(db: BulkConnection, { head, added }: ImportState, version: string | undefined) {
  let isRemoved = false
  await db.transaction(async (transaction) => {
    isRemoved = await imports.remove(transaction, head, version)
    if (isRemoved && added > 0) await recordPets(transaction, head, added)
  })
  return isRemoved
}
