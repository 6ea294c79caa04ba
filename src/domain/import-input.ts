import { createHash, type Hash } from 'node:crypto'
import { firstLine, lineCutter, wholeLines } from '../lib/lines.ts'
import { hashText, Sample } from '../lib/sample.ts'
import { copyLine } from '../storage/pets/copy.ts'
import type { ImportState } from '../storage/pets/imports.ts'
import type { NewPet } from '../storage/pets/pets.ts'
import { ImportConflict } from './import-progress.ts'

/** The pet that a line spells, or the sentence that says why it spells none. */
export type LineReader = (line: Buffer) => NewPet | string

export interface LineFormat {
  maxLineBytes: number
  hasHeader: boolean
  reader: (firstLine: Buffer) => LineReader
}

export type Pieces = AsyncIterableIterator<Buffer, undefined>

/** What one transaction stores. */
export interface Chunk {
  /** How far the input is read with this chunk, always up to the end of a line. */
  reached: ImportState
  /** The pets, as COPY takes them. */
  rows: Buffer
  isLast: boolean
}

// Enough that a commit costs little beside it, and little enough to be read twice.
const CHUNK_BYTES = 4 * 1_024 * 1_024

/** The first pieces together, `least` bytes of them or all there are. */
export async function readBeginning(pieces: Pieces, least: number) {
  const read: Buffer[] = []
  for (let bytes = 0; bytes < least; ) {
    const { done, value } = await pieces.next()
    if (done) break
    read.push(value)
    bytes += value.length
  }
  return Buffer.concat(read)
}

export interface ReadingEvents {
  /** The line that names the columns, where the format has one. */
  onHeader?: (header: Buffer) => void
  /** `bytes` is the line as it was, up to the most that a line may have; it changes when this returns. */
  onRejected: (line: number, reason: string, bytes: Buffer) => void
  /** A line that an earlier run rejected; only where it is wanted, since all that is done must be judged again for it. */
  onRejectedBefore?: ((bytes: Buffer) => void) | undefined
  /** A line that is to be stored, by its hash. */
  onAccepted?: (hash: number) => void
  /** So far the input was read; it is not yet stored. Not called for what an earlier run has done: that is only compared. */
  onRead: (state: ImportState) => void
}

/** Reads on after what is done, line by line, and gives out what is to be stored together. */
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
  const sample = new Sample(done.lineHashes)
  const sha = createHash('sha256')
  let rows = ''
  const lines = lineCutter(format.maxLineBytes, (line) => {
    state.lines++
    if (format.hasHeader && state.lines === 1) return
    const pet = readLine(line)
    if (typeof pet === 'string') {
      state.refused++
      events.onRejected(state.lines, pet, line)
    } else {
      state.added++
      const row = copyLine(pet)
      const hash = hashText(row)
      sample.add(hash)
      events.onAccepted?.(hash)
      rows += row
    }
  })
  let chunkBytes = 0
  for await (const piece of after(beginning, pieces, done, sha, judgeAgain(format, readLine, events))) {
    lines.push(piece)
    chunkBytes += piece.length
    const whole = wholeLines(piece)
    sha.update(piece.subarray(0, whole))
    if (chunkBytes >= CHUNK_BYTES && whole > 0) {
      const reached = { ...state, bytes: state.bytes + whole, sha256: sha.copy().digest('hex') }
      yield { reached: { ...reached, lineHashes: sample.hashes }, rows: Buffer.from(rows), isLast: false }
      chunkBytes = 0
      rows = ''
    }
    sha.update(piece.subarray(whole))
    state.bytes += piece.length
    if (state.bytes > done.bytes) events.onRead(state)
  }
  lines.end()
  const reached = { ...state, sha256: sha.digest('hex'), lineHashes: sample.hashes }
  yield { reached, rows: Buffer.from(rows), isLast: true }
}

/** For the part that is done: finds the lines in it that were rejected, if these are wanted. */
function judgeAgain(
  { maxLineBytes, hasHeader }: LineFormat,
  readLine: LineReader,
  { onRejectedBefore }: ReadingEvents,
) {
  if (!onRejectedBefore) return () => {}
  let isHeader = hasHeader
  const lines = lineCutter(maxLineBytes, (line) => {
    if (!isHeader && typeof readLine(line) === 'string') onRejectedBefore(line)
    isHeader = false
  })
  return lines.push
}

/** What follows the part that is done. That part goes into the hash, and must be the same as it was then. */
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
