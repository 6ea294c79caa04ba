import { hash } from 'node:crypto'
import { recordImport } from '../storage/events/recorded.ts'
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
import { emptyState, findResumePoint, ImportConflict } from './import-progress.ts'

export type { ImportState } from '../storage/pets/imports.ts'

type Db = { db: BulkConnection }

export interface ImportInput {
  /** The path of its file; `null` for standard input. */
  name: string | null
  format: LineFormat
  pieces: Pieces
  /** The same input from its first byte, where it can be read twice. */
  reread?: (() => Pieces) | undefined
}

export interface ImportOptions extends ReadingEvents {
  /** Import a finished file once more; abandon an import that was begun with other content. */
  again: boolean
  /** Stop at the first line that is rejected. */
  strict: boolean
  /** The position at which an earlier run stopped. Input before it is only compared. */
  onResumed: (state: imports.ImportState) => void
  /** A large input is about to be compared with earlier imports, before any of it is stored. */
  onComparing: () => void
  /** The position up to which the import is committed. */
  onStored: (state: imports.ImportState) => void
}

/** A strict import found a line that it rejects. */
export class StrictStop extends Error {
  override name = 'StrictStop'
}

// Enough to distinguish inputs, little enough to keep in memory.
const HEAD_BYTES = 65_536
// What one request for pets by their ids returns.
const PAGE = 100n
// In the event of an import: it is sent to every receiver.
const MOST_RANGES = 100

/**
 * Adds a pet for each line, chunk by chunk, and stores its position in the same transaction. Interrupted at any moment and
 * run again with the same input, it resumes after the last chunk that was committed.
 */
export async function importPets({ db }: Db, input: ImportInput, options: ImportOptions) {
  const { beginning, head } = await identify(input)
  const { done, version: found } = await findResumePoint(db, head, input.name, options.again)
  if (done.bytes > 0) options.onResumed(done)
  const earlier = options.again || done.bytes > 0 ? [] : await otherImports(db, head)
  const overlap = earlier.length > 0 ? new Overlap(earlier) : undefined

  let stored = done
  let version = found
  const store = async ({ reached, rows, isLast }: Chunk) => {
    await db.transaction(async (transaction) => {
      version = version
        ? await imports.advance(transaction, reached, isLast, version)
        : await imports.begin(transaction, reached, isLast)
      if (!version) throw new ImportConflict('elsewhere', reached)
      const ids = await copyIn(transaction, rows)
      if (ids) await imports.addRange(transaction, head, ids)
      if (isLast)
        await recordImport(transaction, reached.added, joinRanges(await imports.takeRanges(transaction, head)))
    })
    stored = reached
    options.onStored(reached)
  }

  let storing = Promise.resolve()
  let isFirst = true
  try {
    const events = eventsOf(options, overlap)
    for await (const chunk of chunksOf(beginning, input.pieces, input.format, done, events)) {
      if (isFirst && overlap) await rejectDuplicates(overlap, chunk, input, options)
      isFirst = false
      await storing
      // Not awaited: the next chunk is read while PostgreSQL stores this one. The next `await storing` throws a failure.
      storing = store(chunk)
      storing.catch(() => {})
    }
  } catch (error) {
    if (!options.again || !(error instanceof ImportConflict) || error.reason !== 'differs') throw error
    const isAbandoned = await imports.remove(db, head, found)
    throw new ImportConflict(isAbandoned ? 'given up' : 'elsewhere', done)
  } finally {
    await storing
  }
  await analyze(db)
  return stored
}

/** Puts ranges together that are less than a page of pets apart; if there are too many, those that are further apart, too. */
export function joinRanges(ranges: readonly imports.IdRange[]): imports.IdRange[] {
  for (let gap = PAGE; ; gap *= 2n) {
    const joined: imports.IdRange[] = []
    for (const { first, last } of ranges) {
      const before = joined.at(-1)
      if (before && first - before.last <= gap) before.last = last > before.last ? last : before.last
      else joined.push({ first, last })
    }
    if (joined.length <= MOST_RANGES) return joined
  }
}

/** Reads and checks every line as an import would, and stores nothing. Also returns the conflict that an import would meet. */
export async function tryImport({ db }: Db, input: ImportInput, events: ReadingEvents) {
  const { beginning, head } = await identify(input)
  const overlap = new Overlap(await otherImports(db, head))
  const start = emptyState(head, input.name)
  let state = start
  const watched = { ...events, onAccepted: (line: number) => overlap.note(line) }
  for await (const { reached } of chunksOf(beginning, input.pieces, input.format, start, watched)) state = reached
  const known = (await imports.list(db)).find((other) => other.head === head)
  if (known?.finishedAt) return { state, conflict: new ImportConflict('finished', known) }
  return { state, conflict: overlap.shared && new ImportConflict('shares', overlap.shared) }
}

/** The imports that were begun, finished or not, latest first. */
export async function listImports({ db }: Db) {
  return imports.list(db)
}

async function identify({ pieces }: ImportInput) {
  const beginning = await readBeginning(pieces, HEAD_BYTES)
  return { beginning, head: hash('sha256', beginning.subarray(0, HEAD_BYTES)) }
}

async function otherImports(db: BulkConnection, head: string) {
  return (await imports.list(db)).filter((other) => other.head !== head)
}

/** Called before the first chunk is stored. Checks the rest of the input too, if it can be read twice. */
async function rejectDuplicates(first: Overlap, { isLast }: Chunk, input: ImportInput, options: ImportOptions) {
  const { shared } = isLast || !input.reread ? first : await fullOverlap(first, input.reread(), input.format, options)
  if (shared) throw new ImportConflict('shares', shared)
}

async function fullOverlap({ earlier }: Overlap, pieces: Pieces, format: LineFormat, { onComparing }: ImportOptions) {
  onComparing()
  const overlap = new Overlap(earlier)
  const events = { onRejected: () => {}, onRead: () => {}, onAccepted: (line: number) => overlap.note(line) }
  const beginning = await readBeginning(pieces, HEAD_BYTES)
  for await (const _ of chunksOf(beginning, pieces, format, emptyState('', null), events));
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
