import { hash } from 'node:crypto'
import { analyze, copyIn } from '../storage/pets/copy.ts'
import * as imports from '../storage/pets/imports.ts'
import type { BulkConnection } from '../storage/postgres/bulk.ts'
import {
  type Chunk,
  chunksOf,
  type LineFormat,
  type Pieces,
  type ReadingEvents,
  readBeginning,
} from './import-input.ts'
import { Overlap } from './import-overlap.ts'
import { goOnFrom, ImportConflict, nothingOf } from './import-progress.ts'

export type { ImportState } from '../storage/pets/imports.ts'

type Db = { db: BulkConnection }

export interface ImportInput {
  /** The path of its file; `null` where it has none. */
  name: string | null
  format: LineFormat
  pieces: Pieces
  /** The same input from its first byte, where it can be read twice. */
  reread?: (() => Pieces) | undefined
}

export interface ImportOptions extends ReadingEvents {
  /** Import once more what is finished; give up what was begun with other content. */
  again: boolean
  /** Stop at the first line that is rejected. */
  strict: boolean
  /** So far an earlier run has come; what it has done is only compared. */
  onResumed: (state: imports.ImportState) => void
  /** All of a large input is compared with earlier imports, before any of it is stored. */
  onComparing: () => void
  /** So far it is stored for good. */
  onStored: (state: imports.ImportState) => void
}

/** A strict import has met a line that it rejects. */
export class StrictStop extends Error {
  override name = 'StrictStop'
}

// Enough to tell one input from another, little enough to be held.
const HEAD_BYTES = 65_536

/**
 * Adds a pet for each line, chunk by chunk, and notes in the same transaction how far it has come. Cut off at any moment
 * and run again with the same input, it continues after the last chunk that was committed.
 */
export async function importPets({ db }: Db, input: ImportInput, options: ImportOptions) {
  const { beginning, head } = await recognise(input)
  const { done, version: found } = await goOnFrom(db, head, input.name, options.again)
  if (done.bytes > 0) options.onResumed(done)
  const earlier = options.again || done.bytes > 0 ? [] : await importsBeside(db, head)
  const overlap = earlier.length > 0 ? new Overlap(earlier) : undefined

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
  let isFirst = true
  try {
    const events = eventsOf(options, overlap)
    for await (const chunk of chunksOf(beginning, input.pieces, input.format, done, events)) {
      if (isFirst && overlap) await refuseShared(overlap, chunk, input, options)
      isFirst = false
      await storing
      // Not awaited: while PostgreSQL stores this chunk, the next one is read. A failure shows at the next turn.
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

/** Reads all of it as an import would, from its first line, and stores nothing; says also what would keep it from being stored. */
export async function tryImport({ db }: Db, input: ImportInput, events: ReadingEvents) {
  const { beginning, head } = await recognise(input)
  const overlap = new Overlap(await importsBeside(db, head))
  const nothing = nothingOf(head, input.name)
  let state = nothing
  const watched = { ...events, onAccepted: (line: number) => overlap.note(line) }
  for await (const { reached } of chunksOf(beginning, input.pieces, input.format, nothing, watched)) state = reached
  const known = (await imports.list(db)).find((other) => other.head === head)
  if (known?.finishedAt) return { state, conflict: new ImportConflict('finished', known) }
  return { state, conflict: overlap.shared && new ImportConflict('shares', overlap.shared) }
}

/** The imports that were begun, finished or not, latest first. */
export async function listImports({ db }: Db) {
  return imports.list(db)
}

async function recognise({ pieces }: ImportInput) {
  const beginning = await readBeginning(pieces, HEAD_BYTES)
  return { beginning, head: hash('sha256', beginning.subarray(0, HEAD_BYTES)) }
}

async function importsBeside(db: BulkConnection, head: string) {
  return (await imports.list(db)).filter((other) => other.head !== head)
}

/** Before the first chunk is stored. What follows it is looked at too, if it can be read a second time. */
async function refuseShared(first: Overlap, { isLast }: Chunk, input: ImportInput, options: ImportOptions) {
  const { shared } = isLast || !input.reread ? first : await wholeOverlap(first, input.reread(), input.format, options)
  if (shared) throw new ImportConflict('shares', shared)
}

async function wholeOverlap({ earlier }: Overlap, pieces: Pieces, format: LineFormat, { onComparing }: ImportOptions) {
  onComparing()
  const overlap = new Overlap(earlier)
  const events = { onRejected: () => {}, onRead: () => {}, onAccepted: (line: number) => overlap.note(line) }
  const beginning = await readBeginning(pieces, HEAD_BYTES)
  for await (const _ of chunksOf(beginning, pieces, format, nothingOf('', null), events));
  return overlap
}

/** A strict import reports the first line that it rejects, and stops there. */
function eventsOf(options: ImportOptions, overlap?: Overlap): ReadingEvents {
  const { strict, onRejected } = options
  return {
    ...options,
    ...(overlap && { onAccepted: (line) => overlap.note(line) }),
    onRejected: (line, reason, bytes) => {
      onRejected(line, reason, bytes)
      if (strict) throw new StrictStop()
    },
  }
}
