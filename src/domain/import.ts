import { hash } from 'node:crypto'
import type { BulkConnection } from '../storage/bulk.ts'
import * as imports from '../storage/imports.ts'
import { analyze, copyIn } from '../storage/pet-copy.ts'
import {
  type Chunk,
  chunksOf,
  type LineFormat,
  type Pieces,
  type ReadingEvents,
  readBeginning,
} from './import-input.ts'
import { goOnFrom, ImportConflict } from './import-progress.ts'

export type { ImportState } from '../storage/imports.ts'

export interface ImportInput {
  /** The path of its file; `null` where it has none. */
  name: string | null
  format: LineFormat
  pieces: Pieces
}

export interface ImportOptions extends ReadingEvents {
  /** Import once more what is finished; give up what was begun with other content. */
  again: boolean
  /** Stop at the first line that is refused. */
  strict: boolean
  /** So far an earlier run has come; what it has done is only compared. */
  onResumed: (state: imports.ImportState) => void
  /** So far it is stored for good. */
  onStored: (state: imports.ImportState) => void
}

/** A strict import has met a line that it refuses. */
export class StrictStop extends Error {
  override name = 'StrictStop'
}

// Enough to tell one input from another, little enough to be held.
const HEAD_BYTES = 65_536

/**
 * Adds a pet for each line, chunk by chunk, and notes in the same transaction how far it has come. Cut off at any moment
 * and begun anew with the same input, it goes on behind the last chunk that was committed.
 */
export async function importPets({ db }: { db: BulkConnection }, input: ImportInput, options: ImportOptions) {
  const beginning = await readBeginning(input.pieces, HEAD_BYTES)
  const head = hash('sha256', beginning.subarray(0, HEAD_BYTES))
  const { done, version: found } = await goOnFrom(db, head, input.name, options.again)
  if (done.bytes > 0) options.onResumed(done)

  let stored = done
  let version = found
  const store = async ({ reached, rows, isLast }: Chunk) => {
    await db.transaction(async (transaction) => {
      version = version
        ? await imports.advance(transaction, reached, isLast, version)
        : await imports.begin(transaction, reached, isLast)
      if (!version) throw new ImportConflict('elsewhere', reached)
      await copyIn(transaction, rows)
    })
    stored = reached
    options.onStored(reached)
  }

  let storing = Promise.resolve()
  try {
    for await (const chunk of chunksOf(beginning, input.pieces, input.format, done, eventsOf(options))) {
      await storing
      // Not waited for: while PostgreSQL stores this chunk, the next one is read. A failure is heard at the next turn.
      storing = store(chunk)
      storing.catch(() => {})
    }
  } catch (error) {
    if (!options.again || !(error instanceof ImportConflict) || error.reason !== 'differs') throw error
    const isGivenUp = await imports.remove(db, head, found)
    throw new ImportConflict(isGivenUp ? 'given up' : 'elsewhere', done)
  } finally {
    await storing
  }
  await analyze(db)
  return stored
}

/** A strict import tells of the first line that it refuses, and stops there. */
function eventsOf({ strict, onRefused, onRead }: ImportOptions): ReadingEvents {
  if (!strict) return { onRefused, onRead }
  return {
    onRead,
    onRefused: (line, reason) => {
      onRefused(line, reason)
      throw new StrictStop()
    },
  }
}
