import { createHash, type Hash } from 'node:crypto'
import { completeLinesLength, firstLine, lineSplitter } from '../lib/lines.ts'
import { copyLine } from '../storage/pets/copy.ts'
import { ImportConflict } from './import-progress.ts'
import type { ImportState } from './types/import.ts'
import type { NewPet } from './types/pet.ts'

/** Returns what is on a line, or why the line is rejected. */
export type LineReader<Item = NewPet> = (line: Buffer) => Item | string

export interface LineFormat {
  maxLineBytes: number
  hasHeader: boolean
  reader: (firstLine: Buffer) => LineReader
}

export type Pieces = AsyncIterableIterator<Buffer, undefined>

/** The part of the input that one transaction stores. */
export interface Chunk {
  /** The state after this chunk, always at the end of a line. */
  reached: ImportState
  /** The pets in the text format of COPY. */
  rows: Buffer
  isLast: boolean
}

// Large enough that commits cost little, small enough to be read again after an interruption.
const CHUNK_BYTES = 4 * 1_024 * 1_024

/** Reads at least `minBytes` bytes, or the whole input if it is shorter. */
export async function readBeginning(pieces: Pieces, minBytes: number) {
  const read: Buffer[] = []
  for (let bytes = 0; bytes < minBytes; ) {
    const { done, value } = await pieces.next()
    if (done) break
    read.push(value)
    bytes += value.length
  }
  return Buffer.concat(read)
}

export interface ReadingEvents {
  /** The header line, if the format has one. */
  onHeader?: (header: Buffer) => void
  /** `bytes` is the line, cut at the maximum length of a line; it is valid until this returns. */
  onRejected: (line: number, reason: string, bytes: Buffer) => void
  /** A line that an earlier run rejected. Without a listener, lines of earlier runs are not parsed again. */
  onRejectedBefore?: ((bytes: Buffer) => void) | undefined
  /** The position in the input, not yet stored. Not called for the part of an earlier run, which is only compared. */
  onRead: (state: ImportState) => void
}

/** Yields the input after `done` in chunks of complete lines. */
export async function* chunksOf(
  beginning: Buffer,
  pieces: Pieces,
  format: LineFormat,
  done: ImportState,
  events: ReadingEvents,
): AsyncGenerator<Chunk> {
  const first = firstLine(beginning)
  const readLine = format.reader(first)
  if (format.hasHeader) events.onHeader?.(first)
  const state = { ...done }
  const sha = createHash('sha256')
  let rows = ''
  const lines = lineSplitter(format.maxLineBytes, (line) => {
    state.lines++
    if (format.hasHeader && state.lines === 1) return
    const pet = readLine(line)
    if (typeof pet === 'string') {
      state.rejected++
      events.onRejected(state.lines, pet, line)
    } else {
      state.added++
      rows += copyLine(pet)
    }
  })
  let chunkBytes = 0
  for await (const piece of after(beginning, pieces, done, sha, recheckSkipped(format, readLine, events))) {
    lines.push(piece)
    chunkBytes += piece.length
    const complete = completeLinesLength(piece)
    sha.update(piece.subarray(0, complete))
    if (chunkBytes >= CHUNK_BYTES && complete > 0) {
      const reached = { ...state, bytes: state.bytes + complete, sha256: sha.copy().digest('hex') }
      yield { reached, rows: Buffer.from(rows), isLast: false }
      chunkBytes = 0
      rows = ''
    }
    sha.update(piece.subarray(complete))
    state.bytes += piece.length
    if (state.bytes > done.bytes) events.onRead(state)
  }
  lines.end()
  yield { reached: { ...state, sha256: sha.digest('hex') }, rows: Buffer.from(rows), isLast: true }
}

/** Finds the rejected lines in the part of an earlier run, if there is a listener for them. */
function recheckSkipped(
  { maxLineBytes, hasHeader }: LineFormat,
  readLine: LineReader,
  { onRejectedBefore }: ReadingEvents,
) {
  if (!onRejectedBefore) return () => {}
  let isHeader = hasHeader
  const lines = lineSplitter(maxLineBytes, (line) => {
    if (!isHeader && typeof readLine(line) === 'string') onRejectedBefore(line)
    isHeader = false
  })
  return lines.push
}

/** Skips the part of an earlier run, which must have the same hash as then, and yields the rest. */
async function* after(
  beginning: Buffer,
  pieces: Pieces,
  done: ImportState,
  sha: Hash,
  onSkipped: (piece: Buffer) => void,
): AsyncGenerator<Buffer> {
  let left = done.bytes
  const skip = (piece: Buffer) => {
    if (left === 0) return piece
    const skipped = piece.subarray(0, left)
    sha.update(skipped)
    onSkipped(skipped)
    left -= skipped.length
    if (left === 0 && sha.copy().digest('hex') !== done.sha256) throw new ImportConflict('differs', done)
    return piece.subarray(skipped.length)
  }
  yield skip(beginning)
  for await (const piece of pieces) yield skip(piece)
  if (left > 0) throw new ImportConflict('differs', done)
}
