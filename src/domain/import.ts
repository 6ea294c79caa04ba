import { hash } from 'node:crypto'
import { analyze, copyIn } from '../storage/pets/copy.ts'
import * as imports from '../storage/pets/imports.ts'
import type { BulkConnection } from '../storage/postgres/bulk.ts'
import { addRange } from '../storage/search/word-ranges.ts'
import { recordPets } from './import-event.ts'
import {
  type Chunk,
  chunksOf,
  type LineFormat,
  type Pieces,
  type ReadingEvents,
  readBeginning,
} from './import-input.ts'
import { emptyState, findResumePoint, giveUp, ImportConflict } from './import-progress.ts'
import type { ImportState } from './types/import.ts'

type Db = { db: BulkConnection }

export interface ImportInput {
  /** The path of its file; `null` for standard input. */
  name: string | null
  format: LineFormat
  pieces: Pieces
}

export interface ImportOptions extends ReadingEvents {
  /** Import a finished file once more; abandon an import that was begun with other content. */
  again: boolean
  /** Stop at the first line that is rejected. */
  strict: boolean
  /** The position at which an earlier run stopped. Input before it is only compared. */
  onResumed: (state: ImportState) => void
  /** The position up to which the import is committed. */
  onStored: (state: ImportState) => void
}

/** A strict import found a line that it rejects. */
export class StrictStop extends Error {
  override name = 'StrictStop'
}

// Enough to distinguish inputs, little enough to keep in memory.
const HEAD_BYTES = 65_536

/**
 * Adds a pet for each line, chunk by chunk, and stores its position in the same transaction. Interrupted at any moment and
 * run again with the same input, it resumes after the last chunk that was committed.
 */
export async function importPets({ db }: Db, input: ImportInput, options: ImportOptions) {
  const { beginning, head } = await identify(input)
  const { done, version: found } = await findResumePoint(db, head, input.name, options.again)
  if (done.bytes > 0) options.onResumed(done)

  let stored = done
  let version = found
  const store = async ({ reached, rows, isLast }: Chunk) => {
    await db.transaction(async (transaction) => {
      version = version
        ? await imports.advance(transaction, reached, isLast, version)
        : await imports.begin(transaction, reached, isLast)
      if (!version) throw new ImportConflict('elsewhere', reached)
      const ids = await copyIn(transaction, rows)
      if (ids) {
        await imports.addRange(transaction, head, ids, reached.added - stored.added)
        await addRange(transaction, ids)
      }
      if (isLast) await recordPets(transaction, head, reached.added)
    })
    stored = reached
    options.onStored(reached)
  }

  let storing = Promise.resolve()
  try {
    for await (const chunk of chunksOf(beginning, input.pieces, input.format, done, eventsOf(options))) {
      await storing
      // Not awaited: the next chunk is read while PostgreSQL stores this one. The next `await storing` throws a failure.
      storing = store(chunk)
      storing.catch(() => {})
    }
  } catch (error) {
    if (!options.again || !(error instanceof ImportConflict) || error.reason !== 'differs') throw error
    const isAbandoned = await giveUp(db, done, found)
    throw new ImportConflict(isAbandoned ? 'given up' : 'elsewhere', done)
  } finally {
    await storing
  }
  await analyze(db)
  return stored
}

/** Reads and checks every line as an import would, and stores nothing. Also returns the conflict that an import would meet. */
export async function tryImport({ db }: Db, input: ImportInput, events: ReadingEvents) {
  const { beginning, head } = await identify(input)
  const start = emptyState(head, input.name)
  let state = start
  for await (const { reached } of chunksOf(beginning, input.pieces, input.format, start, events)) state = reached
  const known = (await imports.list(db)).find((other) => other.head === head)
  return { state, conflict: known?.finishedAt ? new ImportConflict('finished', known) : undefined }
}

/** The imports that were begun, finished or not, latest first. */
export async function listImports({ db }: Db) {
  return imports.list(db)
}

async function identify({ pieces }: ImportInput) {
  const beginning = await readBeginning(pieces, HEAD_BYTES)
  return { beginning, head: hash('sha256', beginning.subarray(0, HEAD_BYTES)) }
}

/** A strict import reports the first line that it rejects, and stops there. */
function eventsOf(options: ImportOptions): ReadingEvents {
  const { strict, onRejected } = options
  return {
    ...options,
    onRejected: (line, reason, bytes) => {
      onRejected(line, reason, bytes)
      if (strict) throw new StrictStop()
    },
  }
}
